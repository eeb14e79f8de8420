// C = A B for row-major matrices whose sizes are multiples of four, in quads. Loads beyond an edge answer zeros unless
// WHOLE says that the tiles cover the matrices exactly: checks cost about a tenth of the speed.
// @import gemm/tile

struct Sizes { M: u32, N: u32, K: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;

const WHOLE = false;

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.M, sizes.N, 0u, sizes.K);
}

fn a_at(z: u32, m: u32, k: u32) -> f32 {
  return load_a(z, m, k)[k % 4u];
}

fn b_at(z: u32, k: u32, n: u32) -> f32 {
  return load_b(z, k, n)[n % 4u];
}

fn load_a(z: u32, m: u32, k: u32) -> vec4f {
  if (!WHOLE && (m >= sizes.M || k >= sizes.K)) {
    return vec4f();
  }
  return a[(m * sizes.K + k) / 4u];
}

fn load_b(z: u32, k: u32, n: u32) -> vec4f {
  if (!WHOLE && (k >= sizes.K || n >= sizes.N)) {
    return vec4f();
  }
  return b[(k * sizes.N + n) / 4u];
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  out[(m * sizes.N + n) / 4u] = c;
}
