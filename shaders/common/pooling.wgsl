// Windows of R x S over planes of H x W: P x Q of them a plane. All but the number of planes is known when the plan is
// made.
// @import common/index

const H = 1u;
const W = 1u;
const R = 1u;
const S = 1u;
const P = 1u;
const Q = 1u;
const STRIDE_V = 1u;
const STRIDE_H = 1u;
const PADDING_V = 0u;
const PADDING_H = 0u;
const DILATION_V = 1u;
const DILATION_H = 1u;

const REACH_V = (R - 1u) * DILATION_V + 1u;
const REACH_H = (S - 1u) * DILATION_H + 1u;

struct Windows { first: u32, end: u32 }

// The windows of `count` that can reach place `at` of a row or column.
fn windows_at(at: u32, padding: u32, reach: u32, stride: u32, count: u32) -> Windows {
  let padded = at + padding;
  return Windows(select((padded - reach) / stride + 1u, 0u, padded < reach), min(padded / stride + 1u, count));
}
