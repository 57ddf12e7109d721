#include "a/Pair.cuh"
void host() { f(Pair<K, V>(x)); k<<<1, 1>>>(Pair<K, V>(y)); }
