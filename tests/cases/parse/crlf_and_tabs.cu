__global__ void k(int *a)
{
	a[0] = 1;	// one

	a[1] = 2;
}
