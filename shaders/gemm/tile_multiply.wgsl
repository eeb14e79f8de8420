// Adds the products of the staged step to the sums of a thread. See gemm/tile_staged.

// @unroll
for (var k = 0u; k < BK; k++) {
  // @unroll
  for (var i = 0u; i < TM / 4u; i++) {
    let four = staged_a[k * A_LINE + row / 4u + i];
    rows[i * 4u] = four.x;
    rows[i * 4u + 1u] = four.y;
    rows[i * 4u + 2u] = four.z;
    rows[i * 4u + 3u] = four.w;
  }
  // @unroll
  for (var j = 0u; j < TN; j++) {
    columns[j] = staged_b[k * B_LINE + j * WX + local.x];
  }
  // @unroll
  for (var i = 0u; i < TM; i++) {
    // @unroll
    for (var j = 0u; j < TN; j++) {
      c[i * TN + j] += rows[i] * columns[j];
    }
  }
}
