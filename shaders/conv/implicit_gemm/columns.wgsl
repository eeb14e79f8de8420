// The columns [CRS, NPQ] that im2col would write for x, gathered on the fly, and the places of the product with the
// filters. One multiplication per group; bias and ReLU in the epilogue.
// @import conv/implicit_gemm/gather
// @import common/relu

alias Weights = f32; // the unit of loads from w: Number, or four of it if WEIGHT_VEC4
@group(0) @binding(2) var<storage, read> w: array<Weights>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
alias Pixels = f32; // the unit of stores to y: Number, or four of it if VEC4
@group(0) @binding(4) var<storage, read_write> y: array<Pixels>;

const HEIGHT = H;
const WIDTH = W;
const HAS_BIAS = false;
const RELU = false;
const SLICES = 1u; // z counts slices within groups; those of y lie one after the other
const VEC4 = false; // whether PQ is a multiple of four: then four columns from a multiple of four belong to one image

// An output pixel: where its window starts.
fn b_column(z: u32, n: u32) -> vec4u {
  let row = input_row(n % PQ / Q, 0u);
  let column = input_column(n % Q, 0u);
  return vec4u((n / PQ * C + z / SLICES * CG) * HW + row * W + column, row, column, 0u);
}

// A position of the filter, from its window's start.
fn place(c: u32, down: u32, right: u32) -> vec4u {
  return vec4u(c * HW + down * W + right, down, right, 0u);
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
