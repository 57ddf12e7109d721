// What each sample must print, computed without CUDA and without its code.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

static void jacobi() {
  const int n = 256;
  std::vector<double> now(n * n), heat(n * n);
  for (unsigned i = 0; i < (unsigned)(n * n); i++) {
    now[i] = (float)(i * 2654435761ull % 1000) / 1000.0f;
    const float each = (float)(i * 40503ull % 100) / 100000.0f;
    for (int t = 0; t < 8; t++) heat[i] += each / (1.0 + t);
  }
  std::vector<double> next = now;
  for (int step = 0; step < 12; step++) {
    for (int i = n; i < n * n - n; i++)
      if (i % n > 0 && i % n < n - 1) next[i] = (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]) / 4 + heat[i];
    std::swap(now, next);
  }
  double sum = 0;
  for (double v : now) sum += v;
  printf("%.9g %.9g\n", sum, now[n * n / 2 + n / 2]);
}

static void matmul() {
  const int n = 128;
  std::vector<double> a(n * n), b(n * n);
  for (unsigned i = 0; i < (unsigned)(n * n); i++) {
    a[i] = (float)(i * 2654435761ull % 2001) / 1000.0f - 1.0f;
    b[i] = (float)(i * 40503ull % 2001) / 1000.0f - 1.0f;
  }
  double checksum = 0, corner = 0;
  for (int r = 0; r < 4; r++) {
    a[r] += 0.5;
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        double c = 0;
        for (int k = 0; k < n; k++) c += a[y * n + k] * b[k * n + x];
        checksum += c * ((y * n + x) % 7);
        if (y == 0 && x == 0) corner = c;
      }
  }
  printf("%.9g %.9g\n", checksum, corner);
}

static void nbody() {
  const int n = 1024;
  std::vector<double> p(3 * n), v(3 * n);
  for (int i = 0; i < n; i++) {
    p[3 * i] = (float)(i * 7919 % 1009) / 1009.0f;
    p[3 * i + 1] = (float)(i * 104729 % 997) / 997.0f;
    p[3 * i + 2] = (float)(i * 1299709 % 991) / 991.0f;
  }
  for (int step = 0; step < 5; step++) {
    std::vector<double> acceleration(3 * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double d[3], square = 1e-2f;
        for (int k = 0; k < 3; k++) d[k] = p[3 * j + k] - p[3 * i + k], square += d[k] * d[k];
        for (int k = 0; k < 3; k++) acceleration[3 * i + k] += d[k] / n * std::pow(square, -1.5);
      }
    for (int i = 0; i < 3 * n; i++) v[i] += acceleration[i] * 1e-3, p[i] += v[i] * 1e-3;
  }
  double sum = 0;
  for (double x : p) sum += x;
  printf("%.9g %.9g\n", sum / (3 * n), p[0]);
}

static void reduction() {
  const int n = 1 << 18;
  for (int r = 0; r < 4; r++) {
    double dot = 0;
    for (unsigned i = 0; i < (unsigned)(n - 1000 * r); i++) {
      const float x = (float)((i * 2654435761u >> 8) % 1000) / 1000.0f;
      const float y = (float)((i * 40503u >> 4) % 1000) / 1000.0f - 0.25f;
      dot += (double)x * y;
    }
    printf("%d %.9g\n", r, dot);
  }
}

static void histogram() {
  const int n = 1 << 18;
  std::vector<unsigned long long> counts(256);
  for (int r = 0; r < 4; r++)
    for (unsigned i = 0; i < (unsigned)(n - 100 * r); i++)
      counts[(i * 2654435761u >> 13) % 251 * (i % 3 + 1) % 256]++;
  unsigned long long weighted = 0;
  for (int bin = 0; bin < 256; bin++) weighted += counts[bin] * (bin + 1);
  printf("%llu %llu %llu\n", weighted, counts[0], counts[255]);
}

int main(int, char **arguments) {
  const char *name = arguments[1];
  if (!strcmp(name, "jacobi")) jacobi();
  if (!strcmp(name, "matmul")) matmul();
  if (!strcmp(name, "nbody")) nbody();
  if (!strcmp(name, "reduction")) reduction();
  if (!strcmp(name, "histogram")) histogram();
}
