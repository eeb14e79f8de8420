// After the optimiser changed the parameters: adds up the squares of the changes.
// @import measures/chunks

@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(3) var<storage, read> before: array<f32>;
@group(0) @binding(4) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let chunk = chunk_of(invocation);
  var sum = 0.0;
  for (var i = chunk.x + invocation.local; i < chunk.y; i += THREADS) {
    let change = parameters[i] - before[i];
    sum += change * change;
  }
  sum = shared_sum(sum, invocation.local);
  if (has_sum(invocation)) { sums[sum_index(invocation)] = sum; }
}
