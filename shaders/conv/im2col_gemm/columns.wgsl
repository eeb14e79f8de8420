// The columns of im2col: for each image a matrix [C * RS, PIXELS]; row (c, r, s) holds the input of channel c that the
// filters' weight at (r, s) multiplies at each output pixel, 0 in the padding. They are written for some images at a
// time, or for some pixels of one image.
// @import conv/geometry

struct Sizes { images: u32, first_image: u32, pixels: u32, first_pixel: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> columns: array<Number>;

const PIXELS = 1u; // values from one row to the next; sizes.pixels of them are written

fn number(image: u32, c: u32, r: u32, s: u32, pixel: u32) -> Number {
  let at = sizes.first_pixel + pixel;
  let h = input_row(at / Q, r);
  let w = input_column(at % Q, s);
  let plane = ((sizes.first_image + image) * C + c) * HW;
  return select(Number(0), x[plane + h * W + w], (h < H) & (w < W));
}
