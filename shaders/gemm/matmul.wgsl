// C = A B for row-major matrices whose sizes are multiples of four, in fours.
// @import gemm/tile

struct Sizes { M: u32, N: u32, K: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.M, sizes.N, 0u, sizes.K);
}

fn a_row(z: u32, m: u32) -> u32 {
  return m * sizes.K;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k;
}

fn a_number(at: u32) -> f32 {
  return a[at / 4u][at % 4u];
}

fn a_along_k(z: u32, row: u32, k: u32) -> vec4f {
  return a[(row + k) / 4u];
}

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(n);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k * sizes.N);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column.x + step.x;
  return b[at / 4u][at % 4u];
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  return b[(columns[0].x + step.x) / 4u];
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  out[(m * sizes.N + n) / 4u] = c;
}
