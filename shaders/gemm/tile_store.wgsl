// Stores the sums of a thread. See gemm/tile.

// @unroll
for (var i = 0u; i < TM; i++) {
  // @unroll
  for (var j = 0u; j < TN; j++) {
    let n = n0 + (j * WX + local.x) * 4u;
    let m = m0 + row + i;
    if (m < size.x && n < size.y) {
      store(z, m, n, c[i * TN + j]);
    }
  }
}
