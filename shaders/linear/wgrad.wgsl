// dw = dy^T x and db = the sums of dy's columns, with dy [N, OUT] and x [N, IN]. The bias is one more column of x, of
// ones. Slice z of the sum over N goes to slice z of dw and db.
// @import common/number
// @import gemm/quads
// @import gemm/slices

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const IN = 4u;
const OUT = 4u;
const HAS_BIAS = true;
const COLUMNS = IN + select(0u, 1u, HAS_BIAS);

fn extent(z: u32) -> vec4u {
  return vec4u(OUT, COLUMNS, slice_range(sizes.N, z));
}

fn a_row(z: u32, m: u32) -> u32 {
  return m;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k * OUT;
}

fn a_number(at: u32) -> f32 {
  return f32(dy[at]);
}

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(n);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k * IN);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return select(1.0, f32(x[column.x + step.x]), column.x < IN); // ones in the bias's column
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    if (n + i < IN) {
      dw[(z * OUT + m) * IN + n + i] = c[i];
    } else if (n + i < COLUMNS) {
      db[z * OUT + m] = c[i];
    }
  }
}
