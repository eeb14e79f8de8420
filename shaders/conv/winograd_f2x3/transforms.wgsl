// The one-dimensional transforms of F(2, 3) and of its weight gradient F(3, 2), at the points 0, ±1 and infinity.
// Written by src/engine/ops/conv/winograd/wgsl.ts, whose test compares; matrices and letters are in cook_toom.ts there.

const OUTPUTS = 2u; // of a tile, vertically and horizontally
const FILTER = 3u;
const TILE = 4u; // OUTPUTS + FILTER - 1

// BT d: a tile of inputs.
fn input_transform(d: array<f32, 4>) -> array<f32, 4> {
  return array<f32, 4>(
    d[0] - d[2],
    d[2] + d[1],
    d[2] - d[1],
    d[3] - d[1],
  );
}

// G g: a filter, or one of its rows, at the points.
fn filter_transform(g: array<f32, 3>) -> array<f32, 4> {
  let even_1 = 0.5 * g[0] + 0.5 * g[2];
  let odd_1 = 0.5 * g[1];
  return array<f32, 4>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    g[2],
  );
}

// AT v: outputs of a tile from its products.
fn output_transform(v: array<f32, 4>) -> array<f32, 2> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  return array<f32, 2>(
    v[0] + sum_1,
    difference_1 + v[3],
  );
}

// G g of F(R, M): the gradient of a tile of outputs at the points.
fn gradient_transform(g: array<f32, 2>) -> array<f32, 4> {
  let even_1 = 0.5 * g[0];
  let odd_1 = 0.5 * g[1];
  return array<f32, 4>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    g[1],
  );
}

// AT v of F(R, M): the gradient of a filter from sums of products.
fn weight_transform(v: array<f32, 4>) -> array<f32, 3> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  return array<f32, 3>(
    v[0] + sum_1,
    difference_1,
    sum_1 + v[3],
  );
}
