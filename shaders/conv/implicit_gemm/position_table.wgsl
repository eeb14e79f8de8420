// Positions of the filter from a table made with the plan: conv/implicit_gemm/position without its divisions.

@group(0) @binding(5) var<storage, read> positions: array<vec4u>;

fn filter_position(k: u32) -> vec4u {
  return positions[k];
}
