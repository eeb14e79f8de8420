// One workgroup per tile of the outputs of one image and filter, one thread per output. For STAGED channels at a time, the
// workgroup copies the patches of input that its tile reads to its memory, and then each thread walks over the filter.
// The importing file, which has the weights, provides the sum of a channel, from the thread's first value in `field`:
//
//   fn channel(k: u32, c: u32, first: u32) -> f32
//
// @import conv/direct/finish

const TILE_W = 16u;
const TILE_H = 16u;
const TILES_X = (Q + TILE_W - 1u) / TILE_W;
const TILES = TILES_X * ((P + TILE_H - 1u) / TILE_H);
const PATCH_W = (TILE_W - 1u) * STRIDE_H + (S - 1u) * DILATION_H + 1u;
const PATCH_H = (TILE_H - 1u) * STRIDE_V + (R - 1u) * DILATION_V + 1u;
const PATCH = PATCH_W * PATCH_H;
const STAGED = 1u; // divides CG

var<workgroup> field: array<f32, STAGED * PATCH>;

@compute @workgroup_size(TILE_W, TILE_H)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let item = group.y * groups.x + group.x;
  let image = item / (K * TILES);
  if (image >= sizes.N) {
    return;
  }
  let k = item / TILES % K;
  let p0 = item % TILES / TILES_X * TILE_H;
  let q0 = item % TILES_X * TILE_W;
  let h0 = input_row(p0, 0u); // huge instead of negative
  let w0 = input_column(q0, 0u);
  let mine = local.y * STRIDE_V * PATCH_W + local.x * STRIDE_H;
  var sum = 0.0;
  var total = 0.0;
  for (var first = 0u; first < CG; first += STAGED) {
    let planes = image * C * HW + (k / KG * CG + first) * X_CHANNEL;
    workgroupBarrier();
    for (var i = thread; i < STAGED * PATCH; i += TILE_W * TILE_H) {
      let h = h0 + i % PATCH / PATCH_W;
      let w = w0 + i % PATCH_W;
      let plane = planes + i / PATCH * X_CHANNEL;
      field[i] = select(0.0, f32(x[plane + (h * W + w) * X_PIXEL]), (h < H) & (w < W));
    }
    workgroupBarrier();
    for (var c = 0u; c < STAGED; c++) {
      sum += channel(k, first + c, c * PATCH + mine); // by itself: long sums lose less precision
      if ((first + c) % CHANNEL_SPAN == CHANNEL_SPAN - 1u) {
        total += sum;
        sum = 0.0;
      }
    }
  }
  let p = p0 + local.y;
  let q = q0 + local.x;
  if (p < P && q < Q) {
    finish(image, k, p, q, sum + total);
  }
}
