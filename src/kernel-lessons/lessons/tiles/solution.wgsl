// A matrix product: a workgroup loads tiles of a and b into its own memory, and each invocation reads them there.
// Each test sets these sizes: a is M x K, b is K x N, c is M x N. All lie in memory row by row.
const M = 1u;
const N = 1u;
const K = 1u;

// A workgroup computes TILE_X columns and TILE_Y rows of c, in steps of DEPTH values of k.
const TILE_X = 16u;
const TILE_Y = 16u;
const DEPTH = 16u;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> tile_a: array<f32, TILE_Y * DEPTH>;
var<workgroup> tile_b: array<f32, DEPTH * TILE_X>;

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let column = group.x * TILE_X + local.x;
  let row = group.y * TILE_Y + local.y;
  var sum = 0.0;
  for (var start = 0u; start < K; start += DEPTH) {
    for (var i = index; i < TILE_Y * DEPTH; i += TILE_X * TILE_Y) {
      let from_row = group.y * TILE_Y + i / DEPTH;
      let k = start + i % DEPTH;
      tile_a[i] = 0.0;
      if (from_row < M && k < K) {
        tile_a[i] = a[from_row * K + k];
      }
    }
    for (var i = index; i < DEPTH * TILE_X; i += TILE_X * TILE_Y) {
      let k = start + i / TILE_X;
      let from_column = group.x * TILE_X + i % TILE_X;
      tile_b[i] = 0.0;
      if (k < K && from_column < N) {
        tile_b[i] = b[k * N + from_column];
      }
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k++) {
      sum += tile_a[local.y * DEPTH + k] * tile_b[k * TILE_X + local.x];
    }
    // Nobody loads the next tiles while others still read these.
    workgroupBarrier();
  }
  if (row < M && column < N) {
    c[row * N + column] = sum;
  }
}
