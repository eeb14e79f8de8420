// Windows of R x S over planes of H x W: P x Q of them per plane. Everything except the number of planes is known when
// the plan is made. If ADAPTIVE, the windows divide a plane among the outputs, and R x S is the largest.

const H = 1u;
const W = 1u;
const R = 1u;
const S = 1u;
const P = 1u;
const Q = 1u;
const STRIDE_V = 1u;
const STRIDE_H = 1u;
const PADDING_TOP = 0u;
const PADDING_LEFT = 0u;
const DILATION_V = 1u;
const DILATION_H = 1u;
const ADAPTIVE = false;
const PLANES = 1u; // planes that alternate value by value: an image's, if channels are last

const REACH_V = (R - 1u) * DILATION_V + 1u;
const REACH_H = (S - 1u) * DILATION_H + 1u;

// Sums of more values are added up row by row: they lose less precision.
const SPAN = 256u;

struct Range { first: u32, end: u32 }

// Where the plane of value `i`, one of planes of `own` pixels, starts in memory with planes of `other` pixels.
fn plane_of(i: u32, own: u32, other: u32) -> u32 {
  return i / (own * PLANES) * (other * PLANES) + i % PLANES;
}

// The places that part `i` overlaps, of `parts` parts of `whole` places. The inverse, the parts that overlap place `i`,
// is shared_out(i, parts, whole): both are overlaps of two divisions of one line.
fn shared_out(i: u32, whole: u32, parts: u32) -> Range {
  return Range(i * whole / parts, ((i + 1u) * whole + parts - 1u) / parts);
}

// The row of tap r of window p. Outside the window or the plane it is H or more: negative values are huge, because
// unsigned arithmetic wraps.
fn tap_row(p: u32, r: u32) -> u32 {
  if (ADAPTIVE) {
    let rows = shared_out(p, H, P);
    return select(H, rows.first + r, rows.first + r < rows.end);
  } else {
    return p * STRIDE_V + r * DILATION_V - PADDING_TOP;
  }
}

fn tap_column(q: u32, s: u32) -> u32 {
  if (ADAPTIVE) {
    let columns = shared_out(q, W, Q);
    return select(W, columns.first + s, columns.first + s < columns.end);
  } else {
    return q * STRIDE_H + s * DILATION_H - PADDING_LEFT;
  }
}

// The windows that can reach row h.
fn windows_over_row(h: u32) -> Range {
  if (ADAPTIVE) {
    return shared_out(h, P, H);
  } else {
    return windows_at(h, PADDING_TOP, REACH_V, STRIDE_V, P);
  }
}

fn windows_over_column(w: u32) -> Range {
  if (ADAPTIVE) {
    return shared_out(w, Q, W);
  } else {
    return windows_at(w, PADDING_LEFT, REACH_H, STRIDE_H, Q);
  }
}

// The windows of `count` that can reach place `at` of a row or column.
fn windows_at(at: u32, padding: u32, reach: u32, stride: u32, count: u32) -> Range {
  let padded = at + padding;
  return Range(select((padded - reach) / stride + 1u, 0u, padded < reach), min(padded / stride + 1u, count));
}
