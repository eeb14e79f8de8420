// db: the sum of dy [N, K, PQ], or if NHWC [N, PQ, K], over images and pixels, cut into SLICES ranges; the second pass is gemm/sum_slices.
// db [SLICES, K]. A workgroup shares the sum of one filter and slice: its threads take turns along the range, and a
// tree adds their sums. Without SHARED every thread has a separate sum: a barrier costs SwiftShader 50 microseconds.
// @import common/index
// @import conv/problem

alias Piece = f32; // what a thread loads at a time: Number, or in NCHW four of them if PQ is a multiple of four
@group(0) @binding(1) var<storage, read> dy: array<Piece>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

const VEC4 = false;
const SHARED = true;
const THREADS = 256u;
const SLICES = 1u;
const WIDTH = select(1u, 4u, VEC4);
const PLANE = PQ / WIDTH; // pieces of an image and filter

var<workgroup> sums: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  var item = group.y * groups.x + group.x;
  var first = thread;
  var step = THREADS;
  if (!SHARED) {
    item = item * THREADS + thread;
    first = 0u;
    step = 1u;
  }
  if (item >= K * SLICES) { return; }
  let k = item % K;
  let slice = item / K;
  let pieces = sizes.N * PLANE;
  let part = (pieces + SLICES - 1u) / SLICES;
  let end = min(pieces, (slice + 1u) * part);
  var sum = 0.0;
  for (var i = slice * part + first; i < end; i += step) {
    let piece = dy[i / PLANE * K * PLANE + k * select(PLANE, 1u, NHWC) + i % PLANE * Y_PIXEL];
    if (VEC4) {
      sum += dot(vec4f(piece), vec4f(1.0));
    } else {
      sum += f32(piece);
    }
  }
  if (SHARED) {
    sums[thread] = sum;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (thread < half) {
        sums[thread] += sums[thread + half];
      }
    }
    if (thread != 0u) { return; }
    sum = sums[0];
  }
  db[item] = sum;
}
