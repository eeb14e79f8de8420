// An implicit GEMM: a convolution as a product of tiles, whose columns are never written to memory.
// Each test sets these sizes: x is [N, C, H, W], w is [K, C, R, S], y is [N, K, P, Q].
const N = 1u;
const C = 1u;
const H = 1u;
const W = 1u;
const K = 1u;
const R = 1u;
const S = 1u;
const P = 1u;
const Q = 1u;
const STRIDE = 1u;
const PADDING = 0u;

// For each image, y is a matrix of K rows and PQ columns: the filters, K x CRS, times im2col's CRS x PQ.
// A workgroup computes TILE_X columns and TILE_Y rows of it, in steps of DEPTH, for image workgroup_id.z.
const TILE_X = 16u;
const TILE_Y = 16u;
const DEPTH = 16u;
const CRS = C * R * S;
const PQ = P * Q;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

var<workgroup> tile_w: array<f32, TILE_Y * DEPTH>;
var<workgroup> tile_x: array<f32, DEPTH * TILE_X>;

// What row `weight` and column `pixel` of the columns of image n would hold.
fn column_value(n: u32, weight: u32, pixel: u32) -> f32 {
  return 0.0;
}

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let n = group.z;
  let pixel = group.x * TILE_X + local.x;
  let filter_row = group.y * TILE_Y + local.y;
  var sum = 0.0;
  for (var start = 0u; start < CRS; start += DEPTH) {
    // Load both tiles, as in the lesson on tiles. The values of tile_x come from column_value.
    for (var i = 0u; i < DEPTH; i++) {
      sum += tile_w[local.y * DEPTH + i] * tile_x[i * TILE_X + local.x];
    }
  }
  if (filter_row < K && pixel < PQ) {
    y[(n * K + filter_row) * PQ + pixel] = sum;
  }
}
