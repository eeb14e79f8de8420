// One workgroup per filter, channel and slice. Its threads take turns along the outputs of all images, each with
// separate sums for all RS weights; then one thread per weight adds the threads' sums, in order. The outputs are cut
// into SLICES; slice s goes to slice s of dw and db. The bias is one more channel, of ones.
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const SLICES = 1u;
const CHANNELS = CG + select(0u, 1u, HAS_BIAS);
const THREADS = 64u; // at least RS
const ROOM = THREADS + 1u; // one unused value per row avoids conflicts of memory banks

var<workgroup> parts: array<f32, RS * ROOM>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let item = group.y * groups.x + group.x;
  let c = item % CHANNELS;
  let k = item / CHANNELS % K;
  let slice = item / (CHANNELS * K);
  if (slice >= SLICES) {
    return;
  }
  let outputs = sizes.N * PQ;
  let part = (outputs + SLICES - 1u) / SLICES;
  let end = min(outputs, (slice + 1u) * part);
  var sums: array<f32, RS>;
  for (var i = slice * part + thread; i < end; i += THREADS) {
    let image = i / PQ;
    let p = i % PQ / Q;
    let q = i % Q;
    let gradient = f32(dy[image * K * PQ + k * Y_CHANNEL + i % PQ * Y_PIXEL]);
    let plane = image * C * HW + (k / KG * CG + c) * X_CHANNEL;
    // @unroll
    for (var r = 0u; r < R; r++) {
      let h = input_row(p, r);
      // @unroll
      for (var s = 0u; s < S; s++) {
        let w = input_column(q, s);
        let number = select(0.0, f32(x[plane + (h * W + w) * X_PIXEL]), (h < H) & (w < W));
        sums[r * S + s] += gradient * select(number, 1.0, c == CG);
      }
    }
  }
  // @unroll
  for (var r = 0u; r < R; r++) {
    // @unroll
    for (var s = 0u; s < S; s++) {
      parts[(r * S + s) * ROOM + thread] = sums[r * S + s];
    }
  }
  workgroupBarrier();
  if (thread < RS) {
    var sum = 0.0;
    for (var i = 0u; i < THREADS; i++) {
      sum += parts[thread * ROOM + i];
    }
    if (c < CG) {
      dw[(slice * K + k) * CRS + c * W_CHANNEL + thread * W_PIXEL] = sum;
    } else if (thread == 0u) {
      db[slice * K + k] = sum;
    }
  }
}
