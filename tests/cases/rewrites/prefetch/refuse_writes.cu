// step: prefetch{site=k/loop:i}
// r3c: kernel()
__global__ void k(float *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] = a[i + 1];
  }
}
//== refused 5:5 prefetch refused: the loop writes memory, perhaps what the next iteration reads
