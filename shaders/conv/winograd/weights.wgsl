// Transforms sums of products at positions [SLICES, TILE, TILE, K, CHANNELS to four] to the K filters from sizes.FIRST_FILTER
// on of dw [filters, CHANNELS, FILTER, FILTER], channels last if NHWC; adds them to those of earlier images if ACCUMULATE.
// A thread computes one channel of one filter, columns first.
// @import conv/winograd/tiles

@group(0) @binding(1) var<storage, read> products: array<f32>;
@group(0) @binding(2) var<storage, read_write> dw: array<f32>;

const K = 1u;
const CHANNELS = 1u; // of a group
const SLICES = 1u;
const ACCUMULATE = false;
const AREA = FILTER * FILTER;

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let channel = id.x;
  let k = id.y;
  if (channel >= CHANNELS || k >= K) { return; }
  let stride = K * to_four(CHANNELS);
  let place = k * to_four(CHANNELS) + channel;
  var sums: array<array<f32, TILE>, TILE>; // columns
  for (var slice = 0u; slice < SLICES; slice++) {
    // @unroll
    for (var i = 0u; i < TILE; i++) {
      // @unroll
      for (var j = 0u; j < TILE; j++) {
        sums[j][i] += products[((slice * TILE + i) * TILE + j) * stride + place];
      }
    }
  }
  var half: array<array<f32, TILE>, FILTER>;
  // @unroll
  for (var j = 0u; j < TILE; j++) {
    let transformed = weight_transform(sums[j]);
    // @unroll
    for (var r = 0u; r < FILTER; r++) {
      half[r][j] = transformed[r];
    }
  }
  let first = (sizes.FIRST_FILTER + k) * CHANNELS * AREA + channel * select(AREA, 1u, NHWC);
  // @unroll
  for (var r = 0u; r < FILTER; r++) {
    let transformed = weight_transform(half[r]);
    // @unroll
    for (var s = 0u; s < FILTER; s++) {
      let at = first + (r * FILTER + s) * select(1u, CHANNELS, NHWC);
      if (ACCUMULATE) {
        dw[at] += transformed[s];
      } else {
        dw[at] = transformed[s];
      }
    }
  }
}
