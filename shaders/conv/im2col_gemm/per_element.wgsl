// im2col, one thread per value of the columns.
// @import common/index
// @import conv/im2col_gemm/columns

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  let pixel = i % PIXELS;
  let row = i / PIXELS % (C * RS);
  let image = i / (PIXELS * C * RS);
  if (image >= sizes.images || pixel >= sizes.pixels) {
    return;
  }
  columns[i] = number(image, row / RS, row % RS / S, row % S, pixel);
}
