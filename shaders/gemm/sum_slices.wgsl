// The second pass of a sum that was cut into SLICES: adds the slices of each number, in order.
// Two arrays at once: a layer's weights and its bias.
// @import common/index

const SLICES = 2u;
const WEIGHTS = 1u; // numbers in a slice of the first array
const BIASES = 1u; // and of the second

@group(0) @binding(0) var<storage, read> weight_slices: array<f32>;
@group(0) @binding(1) var<storage, read> bias_slices: array<f32>;
@group(0) @binding(2) var<storage, read_write> dw: array<f32>;
@group(0) @binding(3) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i < WEIGHTS) {
    var sum = 0.0;
    for (var slice = 0u; slice < SLICES; slice++) {
      sum += weight_slices[slice * WEIGHTS + i];
    }
    dw[i] = sum;
  } else if (i < WEIGHTS + BIASES) {
    var sum = 0.0;
    for (var slice = 0u; slice < SLICES; slice++) {
      sum += bias_slices[slice * BIASES + i - WEIGHTS];
    }
    db[i - WEIGHTS] = sum;
  }
}
