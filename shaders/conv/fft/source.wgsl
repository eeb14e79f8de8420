// What forward transforms read: values of planes, padded with zeros.
// @import conv/fft/tiles

alias Number = f32;

@group(0) @binding(1) var<storage, read> planes: array<Number>;

fn number(tile: Tile, i: u32, j: u32) -> f32 {
  // Values above or left of the plane also count as past its end, because unsigned numbers wrap.
  let row = tile.top + i + u32(tiling.origin_v);
  let column = tile.left + j + u32(tiling.origin_h);
  let inside = (i < tiling.reach_v) & (j < tiling.reach_h) & (row < tiling.height) & (column < tiling.width);
  return select(0.0, f32(planes[tile.base + row * tiling.width + column]), inside);
}
