template <class V>
__global__ void k(typename V::value *p, V v) {
  typename V::elem e{};
  const typename V::template rebind<float>::type r = v.template get<3>();
  p[0] = typename V::value(3) + e;
}
