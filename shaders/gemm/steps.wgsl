// Four steps along k, from a multiple of four. A file that can load them more cheaply together has its own version.
// @import gemm/tile

fn a_steps(z: u32, k: u32) -> array<u32, 4> {
  return array(a_step(z, k), a_step(z, k + 1u), a_step(z, k + 2u), a_step(z, k + 3u));
}

fn b_steps(z: u32, k: u32) -> array<vec4u, 4> {
  return array(b_step(z, k), b_step(z, k + 1u), b_step(z, k + 2u), b_step(z, k + 3u));
}
