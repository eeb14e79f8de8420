// The main loop without STAGED: a thread loads the values that it multiplies. See gemm/tile.

var a_rows: array<Row, TM>;
// @unroll
for (var i = 0u; i < TM; i++) {
  a_rows[i] = a_row(z, m0 + row + i);
}
var b_columns: array<vec4u, TN * 4u>;
// @unroll
for (var j = 0u; j < TN * 4u; j++) {
  b_columns[j] = b_column(z, n0 + (j / 4u * WX + local.x) * 4u + j % 4u);
}
for (var k = size.z + local.z; k < end; k += WK) {
  if (PARTIAL_SUMS) {
    if (k / WK % SPAN == 0u) {
      // @unroll
      for (var i = 0u; i < TM * TN; i++) {
        total[i] += c[i];
        c[i] = vec4f();
      }
    }
  }
  let along_a = a_step(z, k);
  let along_b = b_step(z, k);
  // @unroll
  for (var i = 0u; i < TM; i++) {
    rows[i] = a_number(a_rows[i] + along_a);
  }
  // @unroll
  for (var j = 0u; j < TN; j++) {
    columns[j] = vec4f(
      b_number(b_columns[j * 4u], along_b),
      b_number(b_columns[j * 4u + 1u], along_b),
      b_number(b_columns[j * 4u + 2u], along_b),
      b_number(b_columns[j * 4u + 3u], along_b),
    );
  }
  // @unroll
  for (var i = 0u; i < TM; i++) {
    // @unroll
    for (var j = 0u; j < TN; j++) {
      c[i * TN + j] += rows[i] * columns[j];
    }
  }
}
