// im2col, one thread per value of the columns.
// @import conv/im2col_gemm/items
// @import conv/im2col_gemm/columns

fn item_count() -> u32 {
  return sizes.images * C * RS * PIXELS;
}

fn process(i: u32) {
  let pixel = i % PIXELS;
  if (pixel >= sizes.pixels) {
    return;
  }
  let row = i / PIXELS % (C * RS);
  columns[i] = number(i / (PIXELS * C * RS), row / RS, row % RS / S, row % S, pixel);
}
