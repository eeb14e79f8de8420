// Columns of im2col, gathered from an image: x, or dy in dgrad. An output pixel and a position of the filter are four numbers
// each: an offset in memory, a row, a column, and, if ONES, 1 where all values are one. Their sum is the place of a
// value: 0 where its row or column lies outside. Unsigned arithmetic wraps: negative values are huge.
//
// The importing file has the image's size, HEIGHT and WIDTH.
// @import conv/problem

alias Image = f32; // the unit of loads from the image: Number, or four of it if ALIGNED
@group(0) @binding(1) var<storage, read> image: array<Image>;

const ONES = false;
const ALIGNED = false; // whether four adjacent output pixels read four values side by side, from a multiple of four

fn inside(at: vec4u) -> bool {
  return (at.y < HEIGHT) & (at.z < WIDTH);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step;
  let number = select(0.0, f32(vec4<Number>(image[at.x]).x), inside(at));
  if (ONES) {
    return select(number, 1.0, at.w == 1u);
  } else {
    return number;
  }
}

fn aligned_four(at: vec4u) -> vec4f {
  let four = select(vec4f(), vec4f(vec4<Number>(image[at.x / 4u])), inside(at));
  if (ONES) {
    return select(four, vec4f(1.0), at.w == 1u);
  } else {
    return four;
  }
}

// One column at four steps along k.
fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> vec4f {
  if (ALIGNED) {
    return aligned_four(column + steps[0]);
  } else {
    return vec4f(
      b_number(column, steps[0]),
      b_number(column, steps[1]),
      b_number(column, steps[2]),
      b_number(column, steps[3]),
    );
  }
}

// Four columns at one step along k.
fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  if (ALIGNED) {
    return aligned_four(columns[0] + step);
  } else {
    return vec4f(
      b_number(columns[0], step),
      b_number(columns[1], step),
      b_number(columns[2], step),
      b_number(columns[3], step),
    );
  }
}
