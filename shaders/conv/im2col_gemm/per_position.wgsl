// im2col, one thread per filter position: the filter over one channel at one output pixel. It writes all RS values
// under the filter, and decomposes indices only once for them.
// @import conv/im2col_gemm/items
// @import conv/im2col_gemm/columns

fn item_count() -> u32 {
  return sizes.images * C * PIXELS;
}

fn process(i: u32) {
  let pixel = i % PIXELS;
  if (pixel >= sizes.pixels) {
    return;
  }
  let c = i / PIXELS % C;
  let image = i / (PIXELS * C);
  var at = i / PIXELS * RS * PIXELS + pixel;
  for (var r = 0u; r < R; r++) {
    for (var s = 0u; s < S; s++) {
      columns[at] = number(image, c, r, s, pixel);
      at += PIXELS;
    }
  }
}
