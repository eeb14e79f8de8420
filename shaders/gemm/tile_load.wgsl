// Loads a thread's vectors of the step at k0 into next_a and next_b. See gemm/tile_staged.

let along = k0 + vector_k;
let used = along + FOUR < vec4u(end);
if (A_ALONG_K) {
  let steps = a_steps(z, along);
  // @unroll
  for (var i = 0u; i < A_LOADS; i++) {
    next_a[i] = a_along_k(a_rows[i], steps);
    if (MASKED) {
      next_a[i] = select(Loaded(), next_a[i], used);
    }
  }
} else {
  // @unroll
  for (var i = 0u; i < A_LOADS; i++) {
    let k = k0 + (thread + i * THREADS) / (BM / VECTOR);
    next_a[i] = a_along_m(a_rows, a_step(z, k));
    if (MASKED) {
      next_a[i] = select(Loaded(), next_a[i], k < end);
    }
  }
}
if (B_ALONG_K) {
  let steps = b_steps(z, along);
  // @unroll
  for (var i = 0u; i < B_LOADS; i++) {
    next_b[i] = b_along_k(b_columns[i], steps);
    if (MASKED) {
      next_b[i] = select(Loaded(), next_b[i], used);
    }
  }
} else {
  // @unroll
  for (var i = 0u; i < B_LOADS; i++) {
    let k = k0 + (thread + i * THREADS) / (BN / VECTOR);
    next_b[i] = b_along_n(b_columns, b_step(z, k));
    if (MASKED) {
      next_b[i] = select(Loaded(), next_b[i], k < end);
    }
  }
}
