// dx as a matrix multiplication, for stride 1: filters transposed to [C, KRS] times the columns [KRS, NHW] of the dy that
// each input pixel contributed to. One multiplication per group; slices of long sums lie one after the other. If MASK, only
// for positive x: then x is the output of a ReLU. Another part has filter_position: `position`, which computes it, or
// `position_table`.
// @import gemm/steps
// @import gemm/quads_a
// @import gemm/slices
// @import conv/implicit_gemm/gather
// @import common/relu

@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
alias Pixels = f32; // the unit of stores to dx: Number, or four of it if VEC4
@group(0) @binding(4) var<storage, read_write> dx: array<Pixels>;

const HEIGHT = P;
const WIDTH = Q;
const MASK = false;
const VEC4 = false; // whether HW is a multiple of four: then four columns from a multiple of four belong to one image
const KRS = KG * R * S;

fn extent(z: u32) -> vec4u {
  return vec4u(CG, sizes.N * HW, slice_range(KRS, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return z / SLICES * KG * CRS + m * RS;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k / RS * CRS + k % RS;
}

fn a_number(at: u32) -> f32 {
  return f32(w[at]);
}

// An input pixel: the output pixel that it contributes to by the filter's first position.
fn b_column(z: u32, n: u32) -> vec4u {
  let row = n % HW / W + PADDING_TOP;
  let column = n % W + PADDING_LEFT;
  return vec4u((n / HW * K + z / SLICES * KG) * PQ + row * Q + column, row, column, 0u);
}

// By other positions, it contributes to output pixels further up and left.
fn place(k: u32, down: u32, right: u32) -> vec4u {
  return vec4u(k * PQ - down * Q - right, 0u - down, 0u - right, 0u);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return filter_position(k);
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let channel = z % SLICES * sizes.N * C + z / SLICES * CG + m;
  if (VEC4) {
    if (n < sizes.N * HW) {
      let at = (n / HW * C + channel) * HW + n % HW;
      var four = c;
      if (MASK) {
        four = relu_gradient_four(vec4f(vec4<Number>(x[at], x[at + 1u], x[at + 2u], x[at + 3u])), four);
      }
      dx[at / 4u] = Pixels(four);
    }
  } else {
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (n + i < sizes.N * HW) {
        let at = ((n + i) / HW * C + channel) * HW + (n + i) % HW;
        var v = c[i];
        if (MASK) { v = relu_gradient(f32(x[at]), v); }
        dx[at] = Pixels(v);
      }
    }
  }
}
