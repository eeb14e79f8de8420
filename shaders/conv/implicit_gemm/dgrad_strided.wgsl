// dx of a strided convolution. Pixels of dx whose rows and columns leave the same remainders form a phase: they meet the
// same positions of the filter, so that a multiplication for each group and phase computes no products with zeros
// between outputs. `phases` has two vectors for each phase (first row and column, rows and columns; where its filter
// positions start, and how many it has), then the positions: the offsets in dy, of its row and column, and of the
// weight. Slices of long sums lie one after the other.
// @import gemm/steps
// @import gemm/quads_a
// @import gemm/slices
// @import conv/implicit_gemm/gather
// @import common/relu

@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
alias Pixel = f32; // Number, or f32 for slices
@group(0) @binding(4) var<storage, read_write> dx: array<Pixel>;
@group(0) @binding(5) var<storage, read> phases: array<vec4u>;

const HEIGHT = P;
const WIDTH = Q;
const MASK = false;
const PHASES = STRIDE_V * STRIDE_H;

fn group_of(z: u32) -> u32 {
  return z / (SLICES * PHASES);
}

fn pixels_of(z: u32) -> vec4u {
  return phases[2u * (z / SLICES % PHASES)];
}

fn positions_of(z: u32) -> vec4u {
  return phases[2u * (z / SLICES % PHASES) + 1u];
}

fn extent(z: u32) -> vec4u {
  let pixels = pixels_of(z);
  return vec4u(CG, sizes.N * pixels.z * pixels.w, slice_range(positions_of(z).y, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return group_of(z) * KG * CRS + m * RS;
}

fn a_step(z: u32, k: u32) -> u32 {
  return phases[positions_of(z).x + k].w;
}

fn a_number(at: u32) -> f32 {
  return f32(w[at]);
}

// A pixel of the phase: the output pixel of the same row and column of the phase.
fn b_column(z: u32, n: u32) -> vec4u {
  let pixels = pixels_of(z);
  let plane = pixels.z * pixels.w;
  let row = n % plane / pixels.w;
  let column = n % pixels.w;
  return vec4u((n / plane * K + group_of(z) * KG) * PQ + row * Q + column, row, column, 0u);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return phases[positions_of(z).x + k];
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let pixels = pixels_of(z);
  let plane = pixels.z * pixels.w;
  let channel = z % SLICES * sizes.N * C + group_of(z) * CG + m;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let pixel = n + i;
    if (pixel < sizes.N * plane) {
      let row = pixels.x + pixel % plane / pixels.w * STRIDE_V;
      let at = (pixel / plane * C + channel) * HW + row * W + pixels.y + pixel % pixels.w * STRIDE_H;
      var v = c[i];
      if (MASK) { v = relu_gradient(f32(x[at]), v); }
      dx[at] = Pixel(v);
    }
  }
}
