// dx gathers its share of dy from the windows over it, in scan order; one thread an input element. Where MASK, only for
// positive x: then x is what a ReLU put out.
// @import common/number
// @import avg_pool/count
// @import common/relu

struct Sizes { count: u32 } // input elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

const MASK = false;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  let plane = i / (H * W) * (P * Q);
  let place = i % (H * W);
  let rows = windows_over_row(place / W);
  let columns = windows_over_column(place % W);
  var sum = 0.0;
  for (var p = rows.first; p < rows.end; p++) {
    for (var q = columns.first; q < columns.end; q++) {
      sum += f32(dy[plane + p * Q + q]) / window_count(p, q);
    }
  }
  if (MASK) { sum = relu_gradient(f32(x[i]), sum); }
  dx[i] = Number(sum);
}
