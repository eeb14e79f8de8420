// As gemm/sum_slices, for many slices of few values: PARTS threads share a value. Each adds a run of slices, and their
// sums are added in order.
// @import gemm/sliced_sums

const WIDTH = 16u; // numbers per workgroup
const PARTS = 8u;
const RUN = (SLICES + PARTS - 1u) / PARTS;

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
      sum += weight_slices[slice * WEIGHTS + place_of(i)];
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
    if (i < sizes.count) {
      store(i, sum);
    }
  }
}
