// Takes filters w [K, CHANNELS, FILTER, FILTER] to their positions [TILE, TILE, K, CHANNELS to four], turned by half a
// circle where FLIP, as dgrad has them. A thread transforms one channel of one filter, columns first.
// @import conv/winograd/tiles

@group(0) @binding(1) var<storage, read> w: array<Number>;
@group(0) @binding(2) var<storage, read_write> positions: array<f32>;

const K = 1u;
const CHANNELS = 1u; // of a group
const FLIP = false;
const AREA = FILTER * FILTER;

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let channel = id.x;
  let k = id.y;
  if (channel >= CHANNELS || k >= K) { return; }
  let first = (k * CHANNELS + channel) * AREA;
  var half: array<array<f32, FILTER>, TILE>;
  // @unroll
  for (var s = 0u; s < FILTER; s++) {
    var line: array<f32, FILTER>;
    // @unroll
    for (var r = 0u; r < FILTER; r++) {
      if (FLIP) {
        line[r] = f32(w[first + AREA - 1u - (r * FILTER + s)]);
      } else {
        line[r] = f32(w[first + r * FILTER + s]);
      }
    }
    let transformed = filter_transform(line);
    // @unroll
    for (var i = 0u; i < TILE; i++) {
      half[i][s] = transformed[i];
    }
  }
  let stride = K * to_four(CHANNELS);
  let place = k * to_four(CHANNELS) + channel;
  // @unroll
  for (var i = 0u; i < TILE; i++) {
    let transformed = filter_transform(half[i]);
    // @unroll
    for (var j = 0u; j < TILE; j++) {
      positions[(i * TILE + j) * stride + place] = transformed[j];
    }
  }
}
