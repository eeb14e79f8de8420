// The polynomial of a Newton-Schulz step, A + B y + C y^2, of square matrices y, from SLICES of the sums of their squares; one
// thread per value of [matrices, rows, rows to 4].
// @import common/index

struct Sizes { rows: u32, count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> squares: array<f32>; // [SLICES, ...]
@group(0) @binding(3) var<storage, read_write> z: array<f32>;

const A = 0.0;
const B = 0.0;
const C = 0.0;
const SLICES = 1u;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let padded = (sizes.rows + 3u) / 4u * 4u;
  let on_diagonal = i / padded % sizes.rows == i % padded;
  var square = 0.0;
  for (var slice = 0u; slice < SLICES; slice++) { square += squares[slice * sizes.count + i]; }
  z[i] = select(0.0, A, on_diagonal) + B * y[i] + C * square;
}
