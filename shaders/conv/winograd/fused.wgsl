// All of fprop, or of dgrad, except the filters' transform: values at positions never leave the workgroup. A workgroup
// computes the results of BM filters for BN tiles; z counts groups. Step by step over the image's channels it
// transforms tiles into workgroup memory and copies transformed filters beside them; TM x TN products of one position
// stay in each thread's registers. At the end, positions are combined in workgroup memory, STEP filters at a time.
// @import conv/winograd/results

@group(0) @binding(1) var<storage, read> image: array<Number>; // [N, GROUPS INNER, IMAGE_ROWS, IMAGE_COLUMNS], or channels last if NHWC
@group(0) @binding(5) var<storage, read> filters: array<vec4f>; // [TILE, TILE, GROUPS INNER, OUTER to four]

const GROUPS = 1u;
const INNER = 1u; // channels of the image in a group
const OUTER = CHANNELS / GROUPS; // and of the results
const OUTER_VEC4 = (OUTER + 3u) / 4u;
const IMAGE_ROWS = 1u;
const IMAGE_COLUMNS = 1u;
const IMAGE_PIXEL = select(1u, GROUPS * INNER, NHWC); // distance from pixel to pixel, and from channel to channel
const IMAGE_CHANNEL = select(IMAGE_ROWS * IMAGE_COLUMNS, 1u, NHWC);
const START_V = 0i; // where the first tile's patch starts; negative with padding
const START_H = 0i;

const TM = 8u; // filters per thread, a multiple of four
const TN = 8u; // tiles per thread, even
const WX = 4u; // threads along tiles
const WY = 4u; // threads along filters
const STEP = 4u; // channels per step, a multiple of WY

const BM = WY * TM;
const BN = WX * TN;
const BM_VEC4 = BM / 4u;
const POSITIONS = TILE * TILE;
const THREADS = POSITIONS * WX * WY; // a multiple of BN
const PAIRS = TN / 2u;
const ROW_VEC4 = TM / 4u;
const TURN = STEP / WY; // the filters per thread that are combined at a time
const TURNS = TM / TURN;

var<workgroup> u: array<vec4f, POSITIONS * STEP * BM_VEC4>;
var<workgroup> v: array<f32, POSITIONS * STEP * BN>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let z = group.z;
  let block = group.y * groups.x + group.x;
  let blocks_m = (OUTER + BM - 1u) / BM;
  let m0 = block % blocks_m * BM;
  let n0 = block / blocks_m * BN;
  if (n0 >= tiles()) { return; }

  // A thread transforms patches of one tile; neighbours have neighbouring tiles.
  let mine = thread % BN;
  let tile = n0 + mine;
  // Unsigned arithmetic wraps: negative values are huge.
  let row = tile % TILES / TILES_H * OUTPUTS + bitcast<u32>(START_V);
  let column = tile % TILES_H * OUTPUTS + bitcast<u32>(START_H);
  let start = (sizes.FIRST + tile / TILES) * (GROUPS * INNER * IMAGE_ROWS * IMAGE_COLUMNS);
  let first = start + z * INNER * IMAGE_CHANNEL + (row * IMAGE_COLUMNS + column) * IMAGE_PIXEL;

  // It sums products of one position. Two positions share 32 threads: odd ones read tiles in another order, to avoid
  // conflicts of memory banks.
  let position = thread / (WX * WY);
  let x = thread % WX;
  let y = thread / WX % WY;
  let swap = position % 2u * WX;

  var sums: array<f32, TM * TN>;
  for (var c0 = 0u; c0 < INNER; c0 += STEP) {
    workgroupBarrier();
    for (var c = thread / BN; c < STEP; c += THREADS / BN) {
      let used = (tile < tiles()) & (c0 + c < INNER);
      let base = first + (c0 + c) * IMAGE_CHANNEL;
      var half: array<array<f32, TILE>, TILE>;
      // @unroll
      for (var j = 0u; j < TILE; j++) {
        var line: array<f32, TILE>;
        // @unroll
        for (var i = 0u; i < TILE; i++) {
          let inside = (row + i < IMAGE_ROWS) & (column + j < IMAGE_COLUMNS) & used;
          line[i] = select(0.0, f32(image[base + (i * IMAGE_COLUMNS + j) * IMAGE_PIXEL]), inside);
        }
        let transformed = input_transform(line);
        // @unroll
        for (var i = 0u; i < TILE; i++) {
          half[i][j] = transformed[i];
        }
      }
      // @unroll
      for (var i = 0u; i < TILE; i++) {
        let transformed = input_transform(half[i]);
        // @unroll
        for (var j = 0u; j < TILE; j++) {
          v[((i * TILE + j) * STEP + c) * BN + mine] = transformed[j];
        }
      }
    }
    for (var t = thread; t < POSITIONS * STEP * BM_VEC4; t += THREADS) {
      let c = c0 + t / BM_VEC4 % STEP;
      let p = t / (BM_VEC4 * STEP);
      let source = ((p * GROUPS + z) * INNER + c) * OUTER_VEC4 + m0 / 4u + t % BM_VEC4;
      u[t] = select(vec4f(), filters[source], c < INNER);
    }
    workgroupBarrier();
    // @unroll
    for (var c = 0u; c < STEP; c++) {
      var rows: array<f32, TM>;
      // @unroll
      for (var i = 0u; i < ROW_VEC4; i++) {
        let four = u[(position * STEP + c) * BM_VEC4 + i * WY + y];
        rows[i * 4u] = four.x;
        rows[i * 4u + 1u] = four.y;
        rows[i * 4u + 2u] = four.z;
        rows[i * 4u + 3u] = four.w;
      }
      let base = (position * STEP + c) * BN + x;
      var columns: array<f32, TN>;
      // @unroll
      for (var j = 0u; j < PAIRS; j++) {
        columns[j * 2u] = v[base + j * 2u * WX + swap];
        columns[j * 2u + 1u] = v[base + (j * 2u + 1u) * WX - swap];
      }
      // @unroll
      for (var i = 0u; i < TM; i++) {
        // @unroll
        for (var j = 0u; j < TN; j++) {
          sums[i * TN + j] += rows[i] * columns[j];
        }
      }
    }
  }

  // @unroll
  for (var turn = 0u; turn < TURNS; turn++) {
    workgroupBarrier();
    // @unroll
    for (var i = 0u; i < TURN; i++) {
      let to = (position * STEP + i * WY + y) * BN + x;
      // @unroll
      for (var j = 0u; j < PAIRS; j++) {
        v[to + j * 2u * WX + swap] = sums[(turn * TURN + i) * TN + j * 2u];
        v[to + (j * 2u + 1u) * WX - swap] = sums[(turn * TURN + i) * TN + j * 2u + 1u];
      }
    }
    workgroupBarrier();
    for (var slot = thread / BN; slot < STEP; slot += THREADS / BN) {
      let i = turn * TURN + slot / WY;
      let m = m0 + (i / 4u * WY + slot % WY) * 4u + i % 4u;
      if (m < OUTER && tile < tiles()) {
        var half: array<array<f32, TILE>, OUTPUTS>;
        // @unroll
        for (var j = 0u; j < TILE; j++) {
          var line: array<f32, TILE>;
          // @unroll
          for (var p = 0u; p < TILE; p++) {
            line[p] = v[((p * TILE + j) * STEP + slot) * BN + mine];
          }
          let transformed = output_transform(line);
          // @unroll
          for (var p = 0u; p < OUTPUTS; p++) {
            half[p][j] = transformed[p];
          }
        }
        store_tile(tile, z * OUTER + m, half);
      }
    }
  }
}
