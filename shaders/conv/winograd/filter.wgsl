// Transforms filters w [K, C / GROUPS, FILTER, FILTER], or channels last if NHWC, to their positions [TILE, TILE, GROUPS INNER, OUTER to four]: in
// fprop a group's inner channels are those of x, in dgrad, if BACKWARD, those of dy, and filters are rotated by 180
// degrees. A thread transforms one channel of one filter, columns first.
// @import conv/winograd/tiles

@group(0) @binding(1) var<storage, read> w: array<Number>;
@group(0) @binding(2) var<storage, read_write> positions: array<f32>;

const GROUPS = 1u;
const INNER = 1u; // channels per group that are summed over
const OUTER = 1u; // and of the results
const BACKWARD = false;
const AREA = FILTER * FILTER;
const PIXEL = select(1u, select(INNER, OUTER, BACKWARD), NHWC); // distance within a filter

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let outer = id.x;
  let inner = id.y; // of all groups
  if (outer >= OUTER || inner >= GROUPS * INNER) { return; }
  var first = (inner / INNER * OUTER + outer) * INNER * AREA + inner % INNER * select(AREA, 1u, NHWC);
  if (BACKWARD) {
    first = inner * OUTER * AREA + outer * select(AREA, 1u, NHWC);
  }
  var half: array<array<f32, FILTER>, TILE>;
  // @unroll
  for (var s = 0u; s < FILTER; s++) {
    var line: array<f32, FILTER>;
    // @unroll
    for (var r = 0u; r < FILTER; r++) {
      if (BACKWARD) {
        line[r] = f32(w[first + (AREA - 1u - (r * FILTER + s)) * PIXEL]);
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
