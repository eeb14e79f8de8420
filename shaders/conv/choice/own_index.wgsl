// The number of this invocation in a grid that may be folded. Kernels that check others share no file with them,
// because those files may be under test.
struct Invocation {
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
}

fn own_index(at: Invocation) -> u32 {
  return (at.group.y * at.groups.x + at.group.x) * 64u + at.local;
}
