// The one-dimensional transforms of F(4, 5) and of its weight gradient F(5, 4), at the points 0, ±1/2, ±1, ±2 and infinity.
// Written by src/engine/ops/conv/winograd/wgsl.ts, whose test compares; matrices and letters are in cook_toom.ts there.

const OUTPUTS = 4u; // of a tile, vertically and horizontally
const FILTER = 5u;
const TILE = 8u; // OUTPUTS + FILTER - 1

// BT d: a tile of inputs.
fn input_transform(d: array<f32, 8>) -> array<f32, 8> {
  let even_1 = 4.0 * d[2] - 5.0 * d[4] + d[6];
  let odd_1 = 4.0 * d[1] - 5.0 * d[3] + d[5];
  let even_2 = d[2] - 4.25 * d[4] + d[6];
  let odd_2 = d[1] - 4.25 * d[3] + d[5];
  let even_3 = 0.25 * d[2] - 1.25 * d[4] + d[6];
  let odd_3 = 0.25 * d[1] - 1.25 * d[3] + d[5];
  return array<f32, 8>(
    d[0] - 5.25 * d[2] + 5.25 * d[4] - d[6],
    even_1 + 0.5 * odd_1,
    even_1 - 0.5 * odd_1,
    even_2 + odd_2,
    even_2 - odd_2,
    even_3 + 2.0 * odd_3,
    even_3 - 2.0 * odd_3,
    5.25 * d[3] - d[1] - 5.25 * d[5] + d[7],
  );
}

// G g: a filter, or one of its rows, at the points.
fn filter_transform(g: array<f32, 5>) -> array<f32, 8> {
  let even_1 = (32.0 / 45.0) * g[0] + (8.0 / 45.0) * g[2] + (2.0 / 45.0) * g[4];
  let odd_1 = (16.0 / 45.0) * g[1] + (4.0 / 45.0) * g[3];
  let even_2 = -(2.0 / 9.0) * g[0] - (2.0 / 9.0) * g[2] - (2.0 / 9.0) * g[4];
  let odd_2 = -(2.0 / 9.0) * g[1] - (2.0 / 9.0) * g[3];
  let even_3 = (1.0 / 90.0) * g[0] + (2.0 / 45.0) * g[2] + (8.0 / 45.0) * g[4];
  let odd_3 = (1.0 / 45.0) * g[1] + (4.0 / 45.0) * g[3];
  return array<f32, 8>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    even_2 + odd_2,
    even_2 - odd_2,
    even_3 + odd_3,
    even_3 - odd_3,
    g[4],
  );
}

// AT v: outputs of a tile from its products.
fn output_transform(v: array<f32, 8>) -> array<f32, 4> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  let sum_2 = v[3] + v[4];
  let difference_2 = v[3] - v[4];
  let sum_3 = v[5] + v[6];
  let difference_3 = v[5] - v[6];
  return array<f32, 4>(
    v[0] + sum_1 + sum_2 + sum_3,
    0.5 * difference_1 + difference_2 + 2.0 * difference_3,
    0.25 * sum_1 + sum_2 + 4.0 * sum_3,
    0.125 * difference_1 + difference_2 + 8.0 * difference_3 + v[7],
  );
}

// G g of F(R, M): the gradient of a tile of outputs at the points.
fn gradient_transform(g: array<f32, 4>) -> array<f32, 8> {
  let even_1 = (32.0 / 45.0) * g[0] + (8.0 / 45.0) * g[2];
  let odd_1 = (16.0 / 45.0) * g[1] + (4.0 / 45.0) * g[3];
  let even_2 = -(2.0 / 9.0) * g[0] - (2.0 / 9.0) * g[2];
  let odd_2 = -(2.0 / 9.0) * g[1] - (2.0 / 9.0) * g[3];
  let even_3 = (1.0 / 90.0) * g[0] + (2.0 / 45.0) * g[2];
  let odd_3 = (1.0 / 45.0) * g[1] + (4.0 / 45.0) * g[3];
  return array<f32, 8>(
    g[0],
    even_1 + odd_1,
    even_1 - odd_1,
    even_2 + odd_2,
    even_2 - odd_2,
    even_3 + odd_3,
    even_3 - odd_3,
    g[3],
  );
}

// AT v of F(R, M): the gradient of a filter from sums of products.
fn weight_transform(v: array<f32, 8>) -> array<f32, 5> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  let sum_2 = v[3] + v[4];
  let difference_2 = v[3] - v[4];
  let sum_3 = v[5] + v[6];
  let difference_3 = v[5] - v[6];
  return array<f32, 5>(
    v[0] + sum_1 + sum_2 + sum_3,
    0.5 * difference_1 + difference_2 + 2.0 * difference_3,
    0.25 * sum_1 + sum_2 + 4.0 * sum_3,
    0.125 * difference_1 + difference_2 + 8.0 * difference_3,
    0.0625 * sum_1 + sum_2 + 16.0 * sum_3 + v[7],
  );
}
