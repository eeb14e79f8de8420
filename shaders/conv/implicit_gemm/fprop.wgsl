// y as a matrix multiplication: filters [K, CRS] times the columns [CRS, NPQ] that im2col would write. Another part has
// filter_position: `position`, which computes it, or `position_table`.
// @import gemm/quads
// @import gemm/slice_range
// @import conv/implicit_gemm/columns

fn extent(z: u32) -> vec4u {
  return vec4u(KG, sizes.N * PQ, slice_range(CRS, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return (z / SLICES * KG + m) * CRS;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k;
}

fn a_number(at: u32) -> f32 {
  return f32(w[at]);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return filter_position(k, HW);
}
