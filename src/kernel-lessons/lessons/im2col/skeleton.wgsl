// im2col: copies what each output of a convolution reads into a column of a matrix.
// Each test sets these sizes: x is [N, C, H, W], outputs are P x Q.
const N = 1u;
const C = 1u;
const H = 1u;
const W = 1u;
const R = 1u;
const S = 1u;
const P = 1u;
const Q = 1u;
const STRIDE = 1u;
const PADDING = 0u;

// For each image, the matrix has C * R * S rows and P * Q columns.
// A workgroup writes TILE_X columns and TILE_Y rows of it, for image number workgroup_id.z.
const TILE_X = 64u;
const TILE_Y = 1u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> columns: array<f32>;

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let pixel = id.x;
  let weight = id.y;
  let n = id.z;
  if (pixel >= P * Q || weight >= C * R * S) {
    return;
  }
  // Which channel c, filter row r and filter column s is this row of the matrix? Which output p, q is this column?
  let value = 0.0;
  columns[(n * C * R * S + weight) * P * Q + pixel] = value;
}
