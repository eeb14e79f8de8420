// Stores the sums of a subgroup, if MATRICES. Fragments are opaque: some at a time are written to workgroup memory, where
// the subgroup's threads find their values. See gemm/matrices.

// @unroll
for (var i = 0u; i < FRAGMENTS_M; i++) {
  // @unroll
  for (var part = 0u; part < FRAGMENTS_N / AT_ONCE; part++) {
    workgroupBarrier();
    // @unroll
    for (var j = 0u; j < AT_ONCE; j++) {
      write_fragment(thread, j, c[i * FRAGMENTS_N + part * AT_ONCE + j]);
    }
    workgroupBarrier();
    // @unroll
    for (var j = 0u; j < 2u * AT_ONCE; j++) {
      let four = thread % SUBGROUP + j * SUBGROUP;
      let m = m0 + left_part_of(thread) * SUB_M + i * FRAGMENT + four / WRITTEN_FOURS;
      let n = n0 + right_part_of(thread) * SUB_N + part * AT_ONCE * FRAGMENT + four % WRITTEN_FOURS * 4u;
      if (m < size.x && n < size.y) {
        store(z, m, n, written_four(thread, four));
      }
    }
  }
}
