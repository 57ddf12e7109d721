template <class... Ts>
__device__ int count() { return sizeof...(Ts); }
