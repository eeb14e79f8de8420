// im2col, one thread per value of the columns.
// @import common/index
// @import conv/im2col_gemm/columns

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let pixel = i % PIXELS;
  let row = i / PIXELS % (C * RS);
  let image = i / (PIXELS * C * RS);
  if (image >= sizes.images || pixel >= sizes.pixels) {
    return;
  }
  columns[i] = number(image, row / RS, row % RS / S, row % S, pixel);
}
