// Transforms products at positions [TILE, TILE, CHANNELS, tiles to four], or if NHWC [TILE, TILE, GROUPS, tiles, channels
// to four], to results. A thread computes one channel of one tile, columns first.
// @import conv/winograd/results

@group(0) @binding(1) var<storage, read> products: array<f32>;

const GROUPS = 1u;

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let task = tile_and_channel(id, groups, CHANNELS);
  let tile = task.x;
  let channel = task.y;
  if (tile >= tiles() || channel >= CHANNELS) { return; }
  let stride = position_stride(CHANNELS, CHANNELS / GROUPS);
  let place = place_of(tile, channel, CHANNELS / GROUPS);
  var half: array<array<f32, TILE>, OUTPUTS>;
  // @unroll
  for (var j = 0u; j < TILE; j++) {
    var line: array<f32, TILE>;
    // @unroll
    for (var i = 0u; i < TILE; i++) {
      line[i] = products[(i * TILE + j) * stride + place];
    }
    let transformed = output_transform(line);
    // @unroll
    for (var i = 0u; i < OUTPUTS; i++) {
      half[i][j] = transformed[i];
    }
  }
  store_tile(tile, channel, half);
}
