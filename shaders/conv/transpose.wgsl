// [items, rows, columns] to [items, columns, rows], between NCHW and NHWC. A workgroup moves a tile through its memory,
// so that neighbouring threads read and write neighbours in memory.
// @import common/number

struct Sizes { items: u32, rows: u32, columns: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> source: array<Number>;
@group(0) @binding(2) var<storage, read_write> result: array<Number>;

const SIDE = 32u;
const HEIGHT = 4u;
const ROW = 33u; // one unused value per row avoids conflicts of memory banks

var<workgroup> tile: array<Number, SIDE * ROW>;

@compute @workgroup_size(SIDE, HEIGHT)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  let across = (sizes.columns + SIDE - 1u) / SIDE;
  let down = (sizes.rows + SIDE - 1u) / SIDE;
  let index = group.y * groups.x + group.x;
  let item = index / (across * down);
  if (item >= sizes.items) {
    return;
  }
  let first = item * sizes.rows * sizes.columns;
  let row0 = index / across % down * SIDE;
  let column0 = index % across * SIDE;
  for (var i = local.y; i < SIDE; i += HEIGHT) {
    let row = row0 + i;
    let column = column0 + local.x;
    if (row < sizes.rows && column < sizes.columns) {
      tile[i * ROW + local.x] = source[first + row * sizes.columns + column];
    }
  }
  workgroupBarrier();
  for (var i = local.y; i < SIDE; i += HEIGHT) {
    let row = row0 + local.x;
    let column = column0 + i;
    if (row < sizes.rows && column < sizes.columns) {
      result[first + column * sizes.rows + row] = tile[local.x * ROW + i];
    }
  }
}
