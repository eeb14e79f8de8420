// The same on tensor cores, to the sums of a subgroup. See gemm/matrices.

let left_part = left_part_of(thread);
let right_part = right_part_of(thread);
// @unroll
for (var step = 0u; step < STEPS; step++) {
  var left: array<Left, FRAGMENTS_M>;
  // @unroll
  for (var i = 0u; i < FRAGMENTS_M; i++) {
    if (EMULATED) {
      left[i] = emulated_left(thread, i, step);
    } else if (A_ALONG_K) {
      left[i] = subgroupMatrixLoad<Left, row_major>(&staged_left[left_part], i * FRAGMENT * LEFT_LINE + step * FRAGMENT / VECTOR, LEFT_LINE);
    } else {
      left[i] = subgroupMatrixLoad<Left, col_major>(&staged_left[left_part], step * FRAGMENT * LEFT_LINE + i * FRAGMENT / VECTOR, LEFT_LINE);
    }
  }
  // @unroll
  for (var j = 0u; j < FRAGMENTS_N; j++) {
    var right: Right;
    if (EMULATED) {
      right = emulated_right(thread, j, step);
    } else if (B_ALONG_K) {
      right = subgroupMatrixLoad<Right, col_major>(&staged_right[right_part], j * FRAGMENT * RIGHT_LINE + step * FRAGMENT / VECTOR, RIGHT_LINE);
    } else {
      right = subgroupMatrixLoad<Right, row_major>(&staged_right[right_part], step * FRAGMENT * RIGHT_LINE + j * FRAGMENT / VECTOR, RIGHT_LINE);
    }
    // @unroll
    for (var i = 0u; i < FRAGMENTS_M; i++) {
      c[i * FRAGMENTS_N + j] = multiply_add(left[i], right, c[i * FRAGMENTS_N + j]);
    }
  }
}
