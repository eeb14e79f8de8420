// As gemm/sum_slices, for many slices of few numbers: PARTS threads share a number. Each takes a run of slices, and their
// sums are added in order.

const SLICES = 2u;
const WEIGHTS = 1u; // numbers in a slice of the first array
const BIASES = 1u; // and of the second
const WIDTH = 16u; // numbers a workgroup
const PARTS = 8u;
const RUN = (SLICES + PARTS - 1u) / PARTS;

struct Sizes { count: u32 } // WEIGHTS + BIASES
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> weight_slices: array<f32>;
@group(0) @binding(2) var<storage, read> bias_slices: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

var<workgroup> parts: array<f32, WIDTH * PARTS>;

@compute @workgroup_size(WIDTH, PARTS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  let i = (group.y * groups.x + group.x) * WIDTH + local.x;
  let first = local.y * RUN;
  let end = min(SLICES, first + RUN);
  var sum = 0.0;
  if (i < WEIGHTS) {
    for (var slice = first; slice < end; slice++) {
      sum += weight_slices[slice * WEIGHTS + i];
    }
  } else if (i < sizes.count) {
    for (var slice = first; slice < end; slice++) {
      sum += bias_slices[slice * BIASES + i - WEIGHTS];
    }
  }
  parts[local.y * WIDTH + local.x] = sum;
  workgroupBarrier();
  if (local.y == 0u) {
    for (var part = 1u; part < PARTS; part++) {
      sum += parts[part * WIDTH + local.x];
    }
    if (i < WEIGHTS) {
      dw[i] = sum;
    } else if (i < sizes.count) {
      db[i - WEIGHTS] = sum;
    }
  }
}
