// Sums of the squares of slices of matrices, a workgroup each: of the momentum, and if RESCALE of the parameters too.
// @import common/shared_sum

struct Sizes { count: u32 } // slices
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> updates: array<f32>;
@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(3) var<storage, read> slices: array<u32>; // of each, where it starts in `updates`, and its length
@group(0) @binding(4) var<storage, read_write> sums: array<f32>; // [2, slices]

const RESCALE = false;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let slice = group.y * groups.x + group.x;
  if (slice >= sizes.count) { return; }
  let first = slices[2u * slice];
  let length = slices[2u * slice + 1u];
  var sum = 0.0;
  for (var i = local; i < length; i += THREADS) { sum += updates[first + i] * updates[first + i]; }
  sum = shared_sum(sum, local);
  var own = 0.0;
  if (RESCALE) {
    for (var i = local; i < length; i += THREADS) { own += parameters[first + i] * parameters[first + i]; }
    own = shared_sum(own, local);
  }
  if (local == 0u) {
    sums[slice] = sum;
    sums[sizes.count + slice] = own;
  }
}
