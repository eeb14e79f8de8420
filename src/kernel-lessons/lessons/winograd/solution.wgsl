// Winograd's F(2x2, 3x3): each invocation computes a tile of 2 x 2 outputs.
// Each test sets these sizes: x is [N, C, H, W], w is [K, C, R, S], y is [N, K, P, Q].
// R, S and STRIDE are always 3, 3 and 1.
const N = 1u;
const C = 1u;
const H = 1u;
const W = 1u;
const K = 1u;
const R = 3u;
const S = 3u;
const P = 1u;
const Q = 1u;
const STRIDE = 1u;
const PADDING = 0u;

// An image has TILES_P x TILES_Q tiles of 2 x 2 outputs.
// A workgroup computes TILE_X tiles for TILE_Y filters, for image number workgroup_id.z.
const TILE_X = 16u;
const TILE_Y = 4u;
const TILES_P = (P + 1u) / 2u;
const TILES_Q = (Q + 1u) / 2u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

// The value of x, or 0 in the padding.
fn input(n: u32, c: u32, row: u32, column: u32) -> f32 {
  if (row >= H || column >= W) {
    return 0.0;
  }
  return x[((n * C + c) * H + row) * W + column];
}

// Four values of a row of x from this column on.
fn input_row(n: u32, c: u32, row: u32, column: u32) -> vec4f {
  return vec4f(
    input(n, c, row, column),
    input(n, c, row, column + 1u),
    input(n, c, row, column + 2u),
    input(n, c, row, column + 3u),
  );
}

// A row of a filter.
fn filter_row(k: u32, c: u32, r: u32) -> vec3f {
  let at = ((k * C + c) * 3u + r) * 3u;
  return vec3f(w[at], w[at + 1u], w[at + 2u]);
}

// d times B, whose columns are (1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0) and (0, 1, 0, -1).
fn transform_input(d: vec4f) -> vec4f {
  return vec4f(d.x - d.z, d.y + d.z, d.z - d.y, d.y - d.w);
}

// g times G, transposed, whose columns are (1, 0, 0), (1, 1, 1) / 2, (1, -1, 1) / 2 and (0, 0, 1).
fn transform_filter(g: vec3f) -> vec4f {
  return vec4f(g.x, 0.5 * (g.x + g.y + g.z), 0.5 * (g.x - g.y + g.z), g.z);
}

// m times A, whose columns are (1, 1, 1, 0) and (0, 1, -1, -1).
fn transform_output(m: vec4f) -> vec2f {
  return vec2f(m.x + m.y + m.z, m.y - m.z - m.w);
}

fn write(n: u32, k: u32, p: u32, q: u32, value: f32) {
  if (p < P && q < Q) {
    y[((n * K + k) * P + p) * Q + q] = value;
  }
}

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = id.x;
  let k = id.y;
  let n = id.z;
  if (tile >= TILES_P * TILES_Q || k >= K) {
    return;
  }
  let p = tile / TILES_Q * 2u;
  let q = tile % TILES_Q * 2u;
  var m0 = vec4f();
  var m1 = vec4f();
  var m2 = vec4f();
  var m3 = vec4f();
  for (var c = 0u; c < C; c++) {
    let row = p - PADDING;
    let column = q - PADDING;
    let d0 = input_row(n, c, row, column);
    let d1 = input_row(n, c, row + 1u, column);
    let d2 = input_row(n, c, row + 2u, column);
    let d3 = input_row(n, c, row + 3u, column);
    let g0 = filter_row(k, c, 0u);
    let g1 = filter_row(k, c, 1u);
    let g2 = filter_row(k, c, 2u);
    // The same matrices from the left add whole rows.
    m0 += transform_input(d0 - d2) * transform_filter(g0);
    m1 += transform_input(d1 + d2) * transform_filter(0.5 * (g0 + g1 + g2));
    m2 += transform_input(d2 - d1) * transform_filter(0.5 * (g0 - g1 + g2));
    m3 += transform_input(d1 - d3) * transform_filter(g2);
  }
  let first = transform_output(m0 + m1 + m2);
  let second = transform_output(m1 - m2 - m3);
  write(n, k, p, q, first.x);
  write(n, k, p, q + 1u, first.y);
  write(n, k, p + 1u, q, second.x);
  write(n, k, p + 1u, q + 1u, second.y);
}
