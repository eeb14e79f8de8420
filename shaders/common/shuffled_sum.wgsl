// Sums over the 32 threads of a subgroup, which are one after the other in the workgroup.
enable subgroups;

// The sum of `own` over the threads t of the subgroup that take part in the same one, t % ACROSS. All must call it.
fn shuffled_sum(own: Summed, thread: u32) -> Summed {
  var sum = own;
  for (var half = 16u; half >= ACROSS; half /= 2u) {
    sum += subgroupShuffleDown(sum, half);
  }
  return subgroupShuffle(sum, thread % min(ACROSS, 32u));
}
