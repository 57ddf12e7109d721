void host() {
  k<V<V<float>>><<<g, b>>>(p);
  k<<<(n + 1) >> 1, b>>>(p);
  k <<< dim3 ( g ) , b >>> ( p ) ;
}
