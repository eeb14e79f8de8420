// The number of this invocation in a grid that may be folded over x and y because one dimension allows 65535 workgroups.
fn item_index(group: vec3u, groups: vec3u, size: u32, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * size + local;
}
