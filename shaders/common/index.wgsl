// Where an invocation is in a grid that may be folded over x and y, because one dimension allows 65535 workgroups.
struct Invocation {
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
}

fn workgroup_index(at: Invocation) -> u32 {
  return at.group.y * at.groups.x + at.group.x;
}

// @param size of a workgroup
fn item_index(at: Invocation, size: u32) -> u32 {
  return workgroup_index(at) * size + at.local;
}
