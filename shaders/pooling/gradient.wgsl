// dx of a pooling gathers the gradients from the windows over each input element, in scan order. The importing file has
//
//   fn share(window: u32, p: u32, q: u32, place: u32) -> f32    of window (p, q) to the element at h * W + w
// @import common/input_gradient
// @import pooling/windows

// If windows are disjoint, an element is in at most one of them, and nothing needs to be checked before it is loaded.
const APART = select(STRIDE_V >= REACH_V && STRIDE_H >= REACH_H, H % P == 0u && W % Q == 0u, ADAPTIVE);

fn gradient(i: u32) -> f32 {
  let plane = plane_of(i, H * W, P * Q);
  let place = i / PLANES % (H * W);
  let rows = windows_over_row(place / W);
  let columns = windows_over_column(place % W);
  if (APART) {
    let met = (rows.first < rows.end) & (columns.first < columns.end);
    let window = plane + (rows.first * Q + columns.first) * PLANES;
    return select(0.0, share(window, rows.first, columns.first, place), met);
  } else {
    let in_parts = (rows.end - rows.first) * (columns.end - columns.first) > SPAN;
    var total = 0.0;
    var sum = 0.0;
    for (var p = rows.first; p < rows.end; p++) {
      for (var q = columns.first; q < columns.end; q++) {
        sum += share(plane + (p * Q + q) * PLANES, p, q, place);
      }
      if (in_parts) {
        total += sum;
        sum = 0.0;
      }
    }
    return sum + total;
  }
}
