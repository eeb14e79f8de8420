// C = A B, COUNT times in one dispatch: matrices of the same sizes, one after the other. They are stored as vectors of
// four, so the extent that is contiguous in memory is padded to a multiple of four; the content of the padding does not
// matter.
//
//   A  [COUNT, M, K to 4] if A_ALONG_K, else [COUNT, K, M to 4]
//   B  [COUNT, N, K to 4] if B_ALONG_K, else [COUNT, K, N to 4]
//   C  [SLICES, COUNT, M, N to 4]
//
// If WIDE, vectors are of eight values, of which that extent is a multiple.
//
// z counts products within slices of the sum over K.
// @import gemm/tile
// @import gemm/steps
// @import gemm/slices

struct Sizes { M: u32, N: u32, K: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
alias Four = vec4f; // how A and B are stored: vec4h if in 16 bits, vec4u if WIDE
@group(0) @binding(1) var<storage, read> a: array<Four>;
@group(0) @binding(2) var<storage, read> b: array<Four>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4f>;

const COUNT = 1u;

fn to_four(length: u32) -> u32 {
  return (length + 3u) / 4u * 4u;
}

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.M, sizes.N, slice_range(sizes.K, z / COUNT));
}

fn a_row(z: u32, m: u32) -> u32 {
  if (A_ALONG_K) {
    return (z % COUNT * sizes.M + m) * to_four(sizes.K);
  } else {
    return z % COUNT * sizes.K * to_four(sizes.M) + m;
  }
}

fn a_step(z: u32, k: u32) -> u32 {
  if (A_ALONG_K) {
    return k;
  } else {
    return k * to_four(sizes.M);
  }
}

fn a_number(at: u32) -> f32 {
  return f32(a[at / 4u][at % 4u]);
}

fn a_along_k(row: u32, steps: array<u32, 4>) -> Loaded {
  return Loaded(a[(row + steps[0]) / VECTOR]);
}

fn a_along_m(rows: array<u32, 4>, step: u32) -> Loaded {
  return Loaded(a[(rows[0] + step) / VECTOR]);
}

fn b_column(z: u32, n: u32) -> vec4u {
  if (B_ALONG_K) {
    return vec4u((z % COUNT * sizes.N + n) * to_four(sizes.K));
  } else {
    return vec4u(z % COUNT * sizes.K * to_four(sizes.N) + n);
  }
}

fn b_step(z: u32, k: u32) -> vec4u {
  if (B_ALONG_K) {
    return vec4u(k);
  } else {
    return vec4u(k * to_four(sizes.N));
  }
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column.x + step.x;
  return f32(b[at / 4u][at % 4u]);
}

fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> Loaded {
  return Loaded(b[(column.x + steps[0].x) / VECTOR]);
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> Loaded {
  return Loaded(b[(columns[0].x + step.x) / VECTOR]);
}

fn store(z: u32, m: u32, n: u32, numbers: vec4f) {
  c[((z * sizes.M + m) * to_four(sizes.N) + n) / 4u] = numbers;
}
