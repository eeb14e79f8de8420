// The gradients of weight and bias, cut into SLICES ranges; the second pass is gemm/sum_slices. dw is the sum of dy times
// x normalised, db the sum of dy. Both [SLICES, C].
// @import batch_norm/slices

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> dy: array<Stored>;
@group(0) @binding(3) var<storage, read> statistics: array<Column>; // mean, variance, unbiased variance
@group(0) @binding(4) var<storage, read_write> dw: array<Column>;
@group(0) @binding(5) var<storage, read_write> db: array<Column>;

const EPS = 0.00001;

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
  let own = turns(slice_range(sizes.N, slice), thread);
  let center = Piece(statistics[column]);
  var products = Column();
  var sum = Column();
  for (var i = own.first; i < own.end; i += own.step) {
    let place = piece_at(i, column);
    let gradient = Piece(dy[place]);
    products += column_dot(gradient, Piece(x[place]) - center);
    sum += column_dot(gradient, Piece(1.0));
  }
  products = shared_sum(products, thread);
  sum = shared_sum(sum, thread);
  if (SHARED) {
    if (thread >= ACROSS || column >= COLUMNS) { return; }
  }
  dw[slice * COLUMNS + column] = products / sqrt(statistics[COLUMNS + column] + EPS);
  db[slice * COLUMNS + column] = sum;
}
