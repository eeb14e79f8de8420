// A matrix product: each invocation computes one value of c.
// Each test sets these sizes: a is M x K, b is K x N, c is M x N. All lie in memory row by row.
const M = 1u;
const N = 1u;
const K = 1u;

// A workgroup computes TILE_X columns and TILE_Y rows of c. As many workgroups start as cover all of c.
const TILE_X = 8u;
const TILE_Y = 8u;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let column = id.x;
  let row = id.y;
  c[row * N + column] = 0.0;
}
