// One thread per weight and slice: walks over the outputs that the weight contributed to. The images are cut into
// SLICES; slice s goes to slice s of dw and db. Each output row is summed separately before it is added, which keeps
// long sums accurate. The bias is one more weight per filter, with inputs of 1.
// @import common/index
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const SLICES = 1u;
const COLUMNS = CRS + select(0u, 1u, HAS_BIAS);

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let slice = i / (K * COLUMNS);
  if (slice >= SLICES) {
    return;
  }
  let k = i / COLUMNS % K;
  let column = i % COLUMNS;
  let c = k / KG * CG + column / W_CHANNEL % CG;
  let r = column / W_PIXEL % RS / S;
  let s = column / W_PIXEL % S;
  let images = (sizes.N + SLICES - 1u) / SLICES;
  var sum = 0.0;
  for (var image = slice * images; image < min(sizes.N, (slice + 1u) * images); image++) {
    for (var p = 0u; p < P; p++) {
      let h = input_row(p, r);
      let row = image * K * PQ + k * Y_CHANNEL + p * Q * Y_PIXEL;
      var part = 0.0;
      if (column == CRS) {
        for (var q = 0u; q < Q; q++) {
          part += f32(dy[row + q * Y_PIXEL]);
        }
      } else if (h < H) {
        let plane = image * C * HW + c * X_CHANNEL + h * W * X_PIXEL;
        for (var q = 0u; q < Q; q++) {
          let at = input_column(q, s);
          if (at < W) {
            part += f32(dy[row + q * Y_PIXEL]) * f32(x[plane + at * X_PIXEL]);
          }
        }
      }
      sum += part;
    }
  }
  if (column == CRS) {
    db[slice * K + k] = sum;
  } else {
    dw[(slice * K + k) * CRS + column] = sum;
  }
}
