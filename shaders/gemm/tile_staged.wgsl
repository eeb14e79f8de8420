// The main loop if STAGED: the workgroup copies a step of A and of B to its memory, and each thread multiplies its part of
// both, on tensor cores if MATRICES. See gemm/tile.

// A thread copies the same rows and columns at every step. Those of its vectors that lie along k are at the same k;
// those along m or n belong to the same four rows or columns, each at a different k.
let vector_k = thread % VECTORS * VECTOR;
let vector_m = m0 + thread % (BM / VECTOR) * VECTOR;
let vector_n = n0 + thread % (BN / VECTOR) * VECTOR;
var a_rows: array<Row, select(4u, A_LOADS, A_ALONG_K)>;
if (A_ALONG_K) {
  // @unroll
  for (var i = 0u; i < A_LOADS; i++) {
    a_rows[i] = a_row(z, m0 + (thread + i * THREADS) / VECTORS);
  }
} else {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    a_rows[i] = a_row(z, vector_m + i);
  }
}
var b_columns: array<vec4u, select(4u, B_LOADS, B_ALONG_K)>;
if (B_ALONG_K) {
  // @unroll
  for (var i = 0u; i < B_LOADS; i++) {
    b_columns[i] = b_column(z, n0 + (thread + i * THREADS) / VECTORS);
  }
} else {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    b_columns[i] = b_column(z, vector_n + i);
  }
}
var next_a: array<Loaded, A_LOADS>;
var next_b: array<Loaded, B_LOADS>;
for (var start = size.z; start < end; start += STRETCH) {
  let stop = min(end, start + STRETCH);
  for (var k0 = start; ; k0 += BK) {
    // Load the next step (unused after the last one), then multiply the staged one.
    // @import gemm/tile_load
    if (k0 > start) {
      if (MATRICES) {
        // @import gemm/tile_multiply_matrices if MATRICES
      } else {
        // @import gemm/tile_multiply
      }
    }
    if (k0 >= stop) {
      break;
    }
    workgroupBarrier();
    // @import gemm/tile_stage
    workgroupBarrier();
  }
  if (PARTIAL_SUMS) {
    // @unroll
    for (var i = 0u; i < TM * TN; i++) {
      total[i] += c[i];
      c[i] = vec4f();
    }
  }
}
