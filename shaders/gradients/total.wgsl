// The sum of the parts of the gradients' squares, by one workgroup in a fixed order. The importing file binds
// the parts as `sums`.
// @import common/shared_sum

fn total_of_parts(parts: u32, thread: u32) -> f32 {
  var total = 0.0;
  for (var part = thread; part < parts; part += THREADS) { total += sums[part]; }
  return shared_sum(total, thread);
}
