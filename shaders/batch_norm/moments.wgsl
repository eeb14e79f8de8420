// The mean of each channel and slice of x, and the sum of squared deviations from it: two passes over the slice,
// since the mean of squares minus the squared mean cancels if the mean is large. For the same reason means
// are relative to the channel's first value. moments [2, SLICES, C].
// @import batch_norm/slices

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read_write> moments: array<Column>;

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
  if (item >= BLOCKS * SLICES) { return; }
  let column = item % BLOCKS * ACROSS + thread % ACROSS;
  let slice = item / BLOCKS;
  let range = slice_range(sizes.N, slice);
  let own = turns(range, thread);
  var base = Piece(x[piece_at(0u, column)]);
  if (!CHANNELS_LAST) {
    base = Piece(vec4f(base).x);
  }
  var sum = Column();
  for (var i = own.first; i < own.end; i += own.step) {
    sum += column_dot(Piece(x[piece_at(i, column)]) - base, Piece(1.0));
  }
  let mean = shared_sum(sum, thread) / f32((range.y - range.x) * VALUES);
  var squares = Column();
  for (var i = own.first; i < own.end; i += own.step) {
    let difference = Piece(x[piece_at(i, column)]) - base - Piece(mean);
    squares += column_dot(difference, difference);
  }
  squares = shared_sum(squares, thread);
  if (SHARED) {
    if (thread >= ACROSS || column >= COLUMNS) { return; }
  }
  moments[slice * COLUMNS + column] = mean;
  moments[(SLICES + slice) * COLUMNS + column] = squares;
}
