__global__ void k(int *a, float *x, int n) {
  printf("%d %s\n", n, "a\"b");
  printf(R"x(raw ")" text)x");
  printf("one" "two" FMT "three\n");
  auto s = "text"s;
}
