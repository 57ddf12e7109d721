void host() {
  try {
    k<<<1, 1>>>(p);
    throw std::runtime_error("bad");
  } catch (const std::exception &e) {
    throw;
  } catch (...) {
  }
  delete[] p;
  delete q;
}
