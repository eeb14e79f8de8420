// Loads of four out of single numbers: the importing file says what they are.
//
//   fn a_at(z: u32, m: u32, k: u32) -> f32    A[m, k], zero outside
//   fn b_at(z: u32, k: u32, n: u32) -> f32    B[k, n], zero outside
//
// Both without branches: an index that is out of bounds reads some other number, which is then not selected. Branches
// here cost SwiftShader's compiler seconds.
// @import gemm/tile

fn load_a(z: u32, m: u32, k: u32) -> vec4f {
  var v: vec4f;
  if (A_ALONG_K) {
    v = vec4f(a_at(z, m, k), a_at(z, m, k + 1u), a_at(z, m, k + 2u), a_at(z, m, k + 3u));
  } else {
    v = vec4f(a_at(z, m, k), a_at(z, m + 1u, k), a_at(z, m + 2u, k), a_at(z, m + 3u, k));
  }
  return v;
}

fn load_b(z: u32, k: u32, n: u32) -> vec4f {
  var v: vec4f;
  if (B_ALONG_K) {
    v = vec4f(b_at(z, k, n), b_at(z, k + 1u, n), b_at(z, k + 2u, n), b_at(z, k + 3u, n));
  } else {
    v = vec4f(b_at(z, k, n), b_at(z, k, n + 1u), b_at(z, k, n + 2u), b_at(z, k, n + 3u));
  }
  return v;
}
