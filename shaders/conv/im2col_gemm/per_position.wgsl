// im2col, one thread per filter position: the filter over one channel at one output pixel. It writes all RS values
// under the filter, and decomposes indices only once for them.
// @import common/index
// @import conv/im2col_gemm/columns

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let pixel = i % PIXELS;
  let c = i / PIXELS % C;
  let image = i / (PIXELS * C);
  if (image >= sizes.images || pixel >= sizes.pixels) {
    return;
  }
  var at = i / PIXELS * RS * PIXELS + pixel;
  for (var r = 0u; r < R; r++) {
    for (var s = 0u; s < S; s++) {
      columns[at] = number(image, c, r, s, pixel);
      at += PIXELS;
    }
  }
}
