// Transforms products at positions [TILE, TILE, CHANNELS, tiles to four] to results. A thread computes one channel of
// one tile, columns first; neighbours have neighbouring tiles.
// @import conv/winograd/results

@group(0) @binding(1) var<storage, read> products: array<f32>;

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = id.x;
  let channel = id.y;
  if (tile >= tiles() || channel >= CHANNELS) { return; }
  let stride = CHANNELS * to_four(tiles());
  let place = channel * to_four(tiles()) + tile;
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
