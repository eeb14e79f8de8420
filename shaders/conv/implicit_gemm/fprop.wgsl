// y as a matrix multiplication: filters [K, CRS] times the columns [CRS, NPQ] that im2col would write. Another part has
// filter_position: `position`, which computes it, or `position_table`.
// @import gemm/steps
// @import gemm/slice_range
// @import conv/implicit_gemm/columns

const WEIGHT_VEC4 = false; // only if STAGED and CRS is a multiple of four

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
  return f32(vec4<Number>(w[at]).x);
}

fn a_along_k(row: u32, steps: array<u32, 4>) -> vec4f {
  if (WEIGHT_VEC4) {
    return vec4f(vec4<Number>(w[(row + steps[0]) / 4u]));
  } else {
    return vec4f(
      a_number(row + steps[0]),
      a_number(row + steps[1]),
      a_number(row + steps[2]),
      a_number(row + steps[3]),
    );
  }
}

fn b_step(z: u32, k: u32) -> vec4u {
  return filter_position(k);
}
