// Fours for the staged copies of gemm/tile, out of single numbers. A file whose matrices lie in fours has its own.
// @import gemm/tile

fn a_along_k(z: u32, row: u32, k: u32) -> vec4f {
  return vec4f(
    a_number(row + a_step(z, k)),
    a_number(row + a_step(z, k + 1u)),
    a_number(row + a_step(z, k + 2u)),
    a_number(row + a_step(z, k + 3u)),
  );
}

fn a_along_m(z: u32, m: u32, step: u32) -> vec4f {
  return vec4f(
    a_number(a_row(z, m) + step),
    a_number(a_row(z, m + 1u) + step),
    a_number(a_row(z, m + 2u) + step),
    a_number(a_row(z, m + 3u) + step),
  );
}

fn b_along_k(z: u32, column: vec4u, k: u32) -> vec4f {
  return vec4f(
    b_number(column, b_step(z, k)),
    b_number(column, b_step(z, k + 1u)),
    b_number(column, b_step(z, k + 2u)),
    b_number(column, b_step(z, k + 3u)),
  );
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  return vec4f(
    b_number(columns[0], step),
    b_number(columns[1], step),
    b_number(columns[2], step),
    b_number(columns[3], step),
  );
}
