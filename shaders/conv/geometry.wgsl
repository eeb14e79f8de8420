// The constants of a convolution, known when the plan is compiled: cross-correlation of x [N, C, H, W] with
// w [K, C / GROUPS, R, S] gives y [N, K, P, Q]. If NHWC, channels are last: x [N, H, W, C], w [K, R, S, C / GROUPS],
// y [N, P, Q, K].

alias Number = f32; // the type of x, w, y, dx and dy; everything else, and every sum, is f32

const C = 1u;
const H = 1u;
const W = 1u;
const K = 1u;
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
const GROUPS = 1u;
const NHWC = false;

const CG = C / GROUPS; // channels that a filter reads
const KG = K / GROUPS; // filters of a group
const RS = R * S;
const CRS = CG * R * S;
const HW = H * W;
const PQ = P * Q;

// Channels, in dgrad filters, whose sums are added up by themselves: long sums lose less precision.
const CHANNEL_SPAN = 256u;

// Distances in memory from one channel and one pixel (row * width + column) to the next; for w, of a filter.
const X_CHANNEL = select(HW, 1u, NHWC);
const X_PIXEL = select(1u, C, NHWC);
const Y_CHANNEL = select(PQ, 1u, NHWC);
const Y_PIXEL = select(1u, K, NHWC);
const W_CHANNEL = select(RS, 1u, NHWC);
const W_PIXEL = select(1u, CG, NHWC);

// The input row (column) that filter row r reads at output row p, and the output row to which input row h contributes
// through filter row r; past the tensor if there is none. Unsigned arithmetic wraps: negative values are huge.
fn input_row(p: u32, r: u32) -> u32 {
  return p * STRIDE_V + r * DILATION_V - PADDING_TOP;
}

fn input_column(q: u32, s: u32) -> u32 {
  return q * STRIDE_H + s * DILATION_H - PADDING_LEFT;
}

fn output_row(h: u32, r: u32) -> u32 {
  let at = h + PADDING_TOP - r * DILATION_V;
  return select(at / STRIDE_V, P, (h + PADDING_TOP < r * DILATION_V) | (at % STRIDE_V != 0u));
}

fn output_column(w: u32, s: u32) -> u32 {
  let at = w + PADDING_LEFT - s * DILATION_H;
  return select(at / STRIDE_H, Q, (w + PADDING_LEFT < s * DILATION_H) | (at % STRIDE_H != 0u));
}
