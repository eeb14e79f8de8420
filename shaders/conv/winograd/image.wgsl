// Transforms tiles of an image [N, CHANNELS, ROWS, COLUMNS] to their positions [TILE, TILE, CHANNELS, tiles to four], or
// if NHWC of [N, ROWS, COLUMNS, CHANNELS] to [TILE, TILE, GROUPS, tiles, channels to four]. A thread transforms one
// channel of one tile, columns first. The importing file has PATCH, the side of a tile's patch of the image, and
// `transform`. Only PART channels are transformed, from sizes.FIRST_FILTER on.
// @import conv/winograd/tiles

@group(0) @binding(1) var<storage, read> image: array<Number>;
@group(0) @binding(2) var<storage, read_write> positions: array<f32>;

const CHANNELS = 1u;
const PART = 1u;
const GROUPS = 1u;
const ROWS = 1u;
const COLUMNS = 1u;
const START_V = 0i; // where the first tile's patch starts; negative with padding
const START_H = 0i;
const PIXEL = select(1u, CHANNELS, NHWC); // distance from pixel to pixel

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let task = tile_and_channel(id, groups, PART);
  let tile = task.x;
  let channel = task.y;
  if (tile >= tiles() || channel >= PART) { return; }
  // Unsigned arithmetic wraps: negative values are huge.
  let row = tile % TILES / TILES_H * OUTPUTS + bitcast<u32>(START_V);
  let column = tile % TILES_H * OUTPUTS + bitcast<u32>(START_H);
  let images = (sizes.FIRST + tile / TILES) * (CHANNELS * ROWS * COLUMNS);
  let plane = images + (sizes.FIRST_FILTER + channel) * select(ROWS * COLUMNS, 1u, NHWC);
  let first = plane + (row * COLUMNS + column) * PIXEL;
  var half: array<array<f32, PATCH>, TILE>;
  // @unroll
  for (var j = 0u; j < PATCH; j++) {
    var line: array<f32, PATCH>;
    // @unroll
    for (var i = 0u; i < PATCH; i++) {
      let inside = (row + i < ROWS) & (column + j < COLUMNS);
      line[i] = select(0.0, f32(image[first + (i * COLUMNS + j) * PIXEL]), inside);
    }
    let transformed = transform(line);
    // @unroll
    for (var i = 0u; i < TILE; i++) {
      half[i][j] = transformed[i];
    }
  }
  let stride = position_stride(PART, PART / GROUPS);
  let place = place_of(tile, channel, PART / GROUPS);
  // @unroll
  for (var i = 0u; i < TILE; i++) {
    let transformed = transform(half[i]);
    // @unroll
    for (var j = 0u; j < TILE; j++) {
      positions[(i * TILE + j) * stride + place] = transformed[j];
    }
  }
}
