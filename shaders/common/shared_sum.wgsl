// Sums over the threads of a workgroup, as a tree. Without SHARED every thread has a separate sum, and this changes
// nothing: a barrier costs SwiftShader 50 microseconds.
// @import common/shuffled_sum if SHUFFLES
const SHUFFLES = false; // whether each subgroup adds up the last 32 sums: the same tree, without barriers
const SHARED = true;
const THREADS = 256u;
const ACROSS = 1u; // sums that a workgroup adds up side by side: thread t takes part in sum t % ACROSS
alias Summed = f32; // or four sums

var<workgroup> shared_sums: array<Summed, THREADS>;

// The sum of all threads' `own`, for all of them. All must call it.
fn shared_sum(own: Summed, thread: u32) -> Summed {
  if (SHARED) {
    // The previous sum may still be in use.
    workgroupBarrier();
    shared_sums[thread] = own;
    for (var half = THREADS / 2u; half >= select(ACROSS, max(ACROSS, 32u), SHUFFLES); half /= 2u) {
      workgroupBarrier();
      if (thread < half) {
        shared_sums[thread] += shared_sums[thread + half];
      }
    }
    workgroupBarrier();
    if (SHUFFLES) {
      return shuffled_sum(shared_sums[thread % max(ACROSS, 32u)], thread);
    } else {
      return shared_sums[thread % ACROSS];
    }
  } else {
    return own;
  }
}
