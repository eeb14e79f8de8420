// The half of gemm/quads that is about A.
// @import gemm/tile

// One row at four places along k.
fn a_along_k(row: u32, steps: array<u32, 4>) -> vec4f {
  return vec4f(
    a_number(row + steps[0]),
    a_number(row + steps[1]),
    a_number(row + steps[2]),
    a_number(row + steps[3]),
  );
}

// Four rows at one place along k.
fn a_along_m(rows: array<u32, 4>, step: u32) -> vec4f {
  return vec4f(
    a_number(rows[0] + step),
    a_number(rows[1] + step),
    a_number(rows[2] + step),
    a_number(rows[3] + step),
  );
}
