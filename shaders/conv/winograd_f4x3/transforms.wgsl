// The one-dimensional transforms of F(4, 3) and of its weight gradient F(3, 4), at the points 0, ±2/3, ±3/2 and infinity.
// Written by src/engine/ops/conv/winograd/wgsl.ts, whose test compares; matrices and letters are in cook_toom.ts there.

const OUTPUTS = 4u; // of a tile, vertically and horizontally
const FILTER = 3u;
const TILE = 6u; // OUTPUTS + FILTER - 1

// BT d: a tile of inputs.
fn input_transform(d: array<f32, 6>) -> array<f32, 6> {
  let even_1 = d[4] - 2.25 * d[2];
  let odd_1 = d[3] - 2.25 * d[1];
  let even_2 = d[4] - (4.0 / 9.0) * d[2];
  let odd_2 = d[3] - (4.0 / 9.0) * d[1];
  return array<f32, 6>(
    d[0] - (97.0 / 36.0) * d[2] + d[4],
    even_1 + (2.0 / 3.0) * odd_1,
    even_1 - (2.0 / 3.0) * odd_1,
    even_2 + 1.5 * odd_2,
    even_2 - 1.5 * odd_2,
    d[1] - (97.0 / 36.0) * d[3] + d[5],
  );
}

// G g: a filter, or one of its rows, at the points.
fn filter_transform(g: array<f32, 3>) -> array<f32, 6> {
  let even_1 = -(81.0 / 130.0) * g[0] - (18.0 / 65.0) * g[2];
  let odd_1 = -(27.0 / 65.0) * g[1];
  let even_2 = (8.0 / 65.0) * g[0] + (18.0 / 65.0) * g[2];
  let odd_2 = (12.0 / 65.0) * g[1];
  return array<f32, 6>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    even_2 + odd_2,
    even_2 - odd_2,
    g[2],
  );
}

// AT v: outputs of a tile from its products.
fn output_transform(v: array<f32, 6>) -> array<f32, 4> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  let sum_2 = v[3] + v[4];
  let difference_2 = v[3] - v[4];
  return array<f32, 4>(
    v[0] + sum_1 + sum_2,
    (2.0 / 3.0) * difference_1 + 1.5 * difference_2,
    (4.0 / 9.0) * sum_1 + 2.25 * sum_2,
    (8.0 / 27.0) * difference_1 + 3.375 * difference_2 + v[5],
  );
}

// G g of F(R, M): the gradient of a tile of outputs at the points.
fn gradient_transform(g: array<f32, 4>) -> array<f32, 6> {
  let even_1 = -(81.0 / 130.0) * g[0] - (18.0 / 65.0) * g[2];
  let odd_1 = -(27.0 / 65.0) * g[1] - (12.0 / 65.0) * g[3];
  let even_2 = (8.0 / 65.0) * g[0] + (18.0 / 65.0) * g[2];
  let odd_2 = (12.0 / 65.0) * g[1] + (27.0 / 65.0) * g[3];
  return array<f32, 6>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    even_2 + odd_2,
    even_2 - odd_2,
    g[3],
  );
}

// AT v of F(R, M): the gradient of a filter from sums of products.
fn weight_transform(v: array<f32, 6>) -> array<f32, 3> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  let sum_2 = v[3] + v[4];
  let difference_2 = v[3] - v[4];
  return array<f32, 3>(
    v[0] + sum_1 + sum_2,
    (2.0 / 3.0) * difference_1 + 1.5 * difference_2,
    (4.0 / 9.0) * sum_1 + 2.25 * sum_2 + v[5],
  );
}
