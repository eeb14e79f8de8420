// Copies next_a and next_b to the memory of the workgroup. See gemm/tile_staged.

// @unroll
for (var i = 0u; i < A_LOADS; i++) {
  let t = thread + i * THREADS;
  if (MATRICES) {
    if (t < A_COPIED) {
      stage_left(t, next_a[i]);
    }
  } else if (A_ALONG_K) {
    // Value by value: threads multiply with vectors along m.
    let m = t / VECTORS;
    // @unroll
    for (var kk = 0u; kk < 4u; kk++) {
      staged_a[(vector_k + kk) * A_LINE + m / 4u][m % 4u] = next_a[i][kk];
    }
  } else {
    staged_a[t] = next_a[i];
  }
}
// @unroll
for (var i = 0u; i < B_LOADS; i++) {
  let t = thread + i * THREADS;
  if (MATRICES) {
    if (t < B_COPIED) {
      stage_right(t, next_b[i]);
    }
  } else if (B_ALONG_K) {
    // Value by value: threads multiply with vectors along n.
    let n = t / VECTORS;
    // @unroll
    for (var kk = 0u; kk < 4u; kk++) {
      staged_b[(vector_k + kk) * B_LINE + n / 4u][n % 4u] = next_b[i][kk];
    }
  } else {
    staged_b[t] = next_b[i];
  }
}
