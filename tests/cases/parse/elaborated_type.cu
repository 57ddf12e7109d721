__global__ void k(int *a, float *x, int n) {
  struct node *list = head;
  list = list->next;
  enum color c = RED;
}
