// @import pooling/windows

// Whether the zeros of the padding count in the average.
const COUNT_PADDING = true;

// How many elements window (p, q) averages over.
fn window_count(p: u32, q: u32) -> f32 {
  if (ADAPTIVE) {
    let rows = shared_out(p, H, P);
    let columns = shared_out(q, W, Q);
    return f32((rows.end - rows.first) * (columns.end - columns.first));
  } else if (COUNT_PADDING) {
    return f32(R * S);
  } else {
    let rows = min(p * STRIDE_V + R, H + PADDING_TOP) - max(p * STRIDE_V, PADDING_TOP);
    let columns = min(q * STRIDE_H + S, W + PADDING_LEFT) - max(q * STRIDE_H, PADDING_LEFT);
    return f32(rows * columns);
  }
}
