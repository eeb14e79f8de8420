// How planes are cut into tiles of T_V x T_H values, and the layout of the tiles' spectra.
//
// Tiles are real, so half of the frequencies suffice: the rows u < T_V / 2, whole; rows 0 and T_V / 2, which are
// conjugate symmetric themselves, up to their middle. In this order, FREQUENCIES in all:
//
//   (u, v)              u * T_H + v               0 < u < T_V / 2
//   (0, v)              v                         v <= T_H / 2
//   (T_V / 2, v)        T_H - v                   0 < v < T_H / 2
//   (T_V / 2, 0), (T_V / 2, T_H / 2)              the last two
//
// Each frequency is a matrix multiplication over planes, for all tiles: an array [frequency, group, part, plane,
// item], where items, neighbours in memory, are the tiles of all images. A complex product as a real one of twice the
// size:
//
//   [ Yr ]   [ Wr  -Wi ] [ Xr ]
//   [ Yi ] = [ Wi   Wr ] [ Xi ]
//
// or, where GAUSS, as three of the same size: Yr = a - b and Yi = a + c with
//
//   a = Wr (Xr + Xi)    b = (Wr + Wi) Xi    c = (Wi - Wr) Xr
//
// Filters are treated as one image per channel, with K planes of one tile each.

const T_V = 16u;
const T_H = 16u;
const GAUSS = false;

const HALF_V = T_V / 2u;
const HALF_H = T_H / 2u;
const ROW_NUMBERS = HALF_V * T_H;
const FREQUENCIES = ROW_NUMBERS + 2u;
const PARTS = select(2u, 3u, GAUSS);

struct Tiling {
  first_image: u32,
  items: u32,
  planes: u32,
  group_planes: u32, // planes of one group
  row: u32, // values from plane to plane in the spectra: the items, padded
  tiles_v: u32, // tiles per image
  tiles_h: u32,
  step_v: u32, // distance from tile to tile
  step_h: u32,
  origin_v: i32, // forward: where the first tile starts; inverse: the first value used of a tile, modulo its size
  origin_h: i32,
  reach_v: u32, // forward: values of a tile that are read, the others are zero; inverse: values that are written
  reach_h: u32,
  height: u32, // of a plane
  width: u32,
  image_stride: u32, // values from image to image, and from plane to plane
  plane_stride: u32,
}
@group(0) @binding(0) var<uniform> tiling: Tiling;

struct Tile {
  base: u32, // of its plane
  top: u32, // its position, without the origin
  left: u32,
}

fn tile_of(plane: u32, item: u32) -> Tile {
  let tiles = tiling.tiles_v * tiling.tiles_h;
  let within = item % tiles;
  return Tile(
    (tiling.first_image + item / tiles) * tiling.image_stride + plane * tiling.plane_stride,
    within / tiling.tiles_h * tiling.step_v,
    within % tiling.tiles_h * tiling.step_h,
  );
}

// Where the first part of the first frequency of a tile lies.
fn spectrum_at(plane: u32, item: u32) -> u32 {
  let group = plane / tiling.group_planes;
  return (group * (PARTS - 1u) * tiling.group_planes + plane) * tiling.row + item;
}

fn part_stride() -> u32 {
  return tiling.group_planes * tiling.row;
}

fn frequency_stride() -> u32 {
  return tiling.planes * PARTS * tiling.row;
}
