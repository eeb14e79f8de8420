// The half of gemm/quads that is about B.
// @import gemm/tile

// One column at four places along k.
fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> vec4f {
  return vec4f(
    b_number(column, steps[0]),
    b_number(column, steps[1]),
    b_number(column, steps[2]),
    b_number(column, steps[3]),
  );
}

// Four columns at one place along k.
fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  return vec4f(
    b_number(columns[0], step),
    b_number(columns[1], step),
    b_number(columns[2], step),
    b_number(columns[3], step),
  );
}
