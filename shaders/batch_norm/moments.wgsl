// The mean of each channel and slice of x, and the sum of squared deviations from it: two passes over the slice,
// since the mean of squares minus the squared mean cancels if the mean is large. For the same reason means
// are relative to the channel's first value. moments [SLICES, C].
// @import batch_norm/slices

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read_write> moments: array<vec2f>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  var item = group.y * groups.x + group.x;
  if (!SHARED) {
    item = item * THREADS + thread;
  }
  if (item >= C * SLICES) { return; }
  let channel = item % C;
  let range = slice_range(sizes.N, item / C);
  let own = turns(range, thread);
  let base = Piece(vec4f(Piece(x[piece_at(0u, channel)])).x);
  var sum = 0.0;
  for (var i = own.first; i < own.end; i += own.step) {
    sum += piece_dot(Piece(x[piece_at(i, channel)]) - base, Piece(1.0));
  }
  let mean = shared_sum(sum, thread) / f32((range.y - range.x) * WIDTH);
  var squares = 0.0;
  for (var i = own.first; i < own.end; i += own.step) {
    let difference = Piece(x[piece_at(i, channel)]) - base - Piece(mean);
    squares += piece_dot(difference, difference);
  }
  squares = shared_sum(squares, thread);
  if (SHARED) {
    if (thread != 0u) { return; }
  }
  moments[item] = vec2f(mean, squares);
}
