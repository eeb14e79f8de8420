// Transforms filters w [K, C / GROUPS, R, S], or channels last if NHWC, to their positions [TILE, TILE, GROUPS INNER, OUTER to
// four]. In fprop a group's inner channels are those of x. In dgrad, if BACKWARD, they are those of dy, and filters are
// rotated by 180 degrees; an outer channel is a phase of the stride and a channel of dx, and its filter is every
// PHASES-th row and column of w's. A thread transforms one channel of one filter, columns first.
// @import conv/winograd/tiles

@group(0) @binding(1) var<storage, read> w: array<Number>;
@group(0) @binding(2) var<storage, read_write> positions: array<f32>;

const GROUPS = 1u;
const INNER = 1u; // channels per group that are summed over
const OUTER = 1u; // and of the results
const R = 1u;
const S = 1u;
const BACKWARD = false;
const PHASES_V = 1u;
const PHASES_H = 1u;
const PHASES = PHASES_V * PHASES_H;
const RS = R * S;
const CG = select(INNER, OUTER / PHASES, BACKWARD); // channels of a filter in w
const PIXEL = select(1u, CG, NHWC); // distance within a filter

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let outer = id.x;
  let inner = id.y; // of all groups
  if (outer >= OUTER || inner >= GROUPS * INNER) { return; }
  // The filter and channel in w.
  let k = select(inner / INNER * OUTER + outer, inner, BACKWARD);
  let c = select(inner % INNER, outer / PHASES, BACKWARD);
  let first = k * CG * RS + c * select(RS, 1u, NHWC);
  var half: array<array<f32, FILTER>, TILE>;
  // @unroll
  for (var s = 0u; s < FILTER; s++) {
    var line: array<f32, FILTER>;
    // @unroll
    for (var r = 0u; r < FILTER; r++) {
      if (BACKWARD) {
        let row = (FILTER - 1u - r) * PHASES_V + outer / PHASES_H % PHASES_V;
        let column = (FILTER - 1u - s) * PHASES_H + outer % PHASES_H;
        line[r] = select(0.0, f32(w[first + (row * S + column) * PIXEL]), (row < R) & (column < S));
      } else {
        line[r] = f32(w[first + (r * FILTER + s) * PIXEL]);
      }
    }
    let transformed = filter_transform(line);
    // @unroll
    for (var i = 0u; i < TILE; i++) {
      half[i][s] = transformed[i];
    }
  }
  let stride = GROUPS * INNER * to_four(OUTER);
  let place = inner * to_four(OUTER) + outer;
  // @unroll
  for (var i = 0u; i < TILE; i++) {
    let transformed = filter_transform(half[i]);
    // @unroll
    for (var j = 0u; j < TILE; j++) {
      positions[(i * TILE + j) * stride + place] = transformed[j];
    }
  }
}
