// The number of this invocation in a grid that may be folded. Kernels that check others share no file with them: their
// files may be on trial.
fn own_index(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 64u + local;
}
