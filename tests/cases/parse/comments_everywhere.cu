/* a */ __global__ /* b */ void /* c */ k(/* d */ int /* e */ *a // f
) /* g */ { // h
  a /* i */ [ /* j */ 0 ] = /* k */ 1 /* l */ ; // m
  /* n */
} // o
