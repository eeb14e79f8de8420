// The columns [CRS, NPQ] that im2col would write for x, gathered on the fly, and the places of the product with the
// filters. One multiplication per group; bias and ReLU in the epilogue.
// @import conv/problem
// @import common/relu

@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
alias Pixels = f32; // the unit of stores to y: Number, or four of it if VEC4
@group(0) @binding(4) var<storage, read_write> y: array<Pixels>;

const HAS_BIAS = false;
const RELU = false;
const SLICES = 1u; // z counts slices within groups; those of y lie one after the other
const VEC4 = false; // whether PQ is a multiple of four: then four columns from a multiple of four belong to one image

// An output pixel: where its image's channels start, and the input row and column that its window starts at.
fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u((n / PQ * C + z / SLICES * CG) * HW, input_row(n % PQ / Q, 0u), input_column(n % Q, 0u), 0u);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step; // channel, row, column
  return select(0.0, f32(x[at.x + at.y * W + at.z]), (at.y < H) & (at.z < W));
}

// Filter m, output pixels n to n + 3.
fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let k = z / SLICES * KG + m;
  let channel = z % SLICES * sizes.N * K + k;
  var four = c;
  if (HAS_BIAS) { four += bias[k]; }
  if (RELU) { four = relu_four(four); }
  if (VEC4) {
    if (n < sizes.N * PQ) {
      y[((n / PQ * K + channel) * PQ + n % PQ) / 4u] = Pixels(four);
    }
  } else {
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (n + i < sizes.N * PQ) {
        y[((n + i) / PQ * K + channel) * PQ + (n + i) % PQ] = Pixels(four[i]);
      }
    }
  }
}
