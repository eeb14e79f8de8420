// A column's mean and the sum of squared deviations from it, from the moments of its slices [2, SLICES, ...]. The importing
// file binds `moments`, of which an element is what shared_sum adds up.
// @import batch_norm/slices

const MOMENTS = 1u; // elements of a slice

// The mean is relative to the first value of each channel.
struct Combined { center: Summed, squares: Summed }

// The number of values in slice `slice`.
fn count_of(images: u32, slice: u32) -> f32 {
  let range = slice_range(images, slice);
  return f32((range.y - range.x) * VALUES);
}

fn combined(images: u32, column: u32, thread: u32) -> Combined {
  let own = turns(vec2u(0u, SLICES), thread);
  var sum = Summed();
  for (var slice = own.first; slice < own.end; slice += own.step) {
    sum += moments[slice * MOMENTS + column] * count_of(images, slice);
  }
  let center = shared_sum(sum, thread) / f32(images * PLANE);
  var squares = Summed();
  for (var slice = own.first; slice < own.end; slice += own.step) {
    let difference = moments[slice * MOMENTS + column] - center;
    squares += moments[(SLICES + slice) * MOMENTS + column]
      + difference * difference * count_of(images, slice);
  }
  return Combined(center, shared_sum(squares, thread));
}
