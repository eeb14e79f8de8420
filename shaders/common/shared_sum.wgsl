// Sums over the threads of a workgroup, as a tree. Without SHARED every thread has a separate sum, and this changes
// nothing: a barrier costs SwiftShader 50 microseconds.
const SHARED = true;
const THREADS = 256u;

var<workgroup> shared_sums: array<f32, THREADS>;

// The sum of all threads' `own`, for all of them. All must call it.
fn shared_sum(own: f32, thread: u32) -> f32 {
  if (SHARED) {
    // The previous sum may still be in use.
    workgroupBarrier();
    shared_sums[thread] = own;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (thread < half) {
        shared_sums[thread] += shared_sums[thread + half];
      }
    }
    workgroupBarrier();
    return shared_sums[0];
  } else {
    return own;
  }
}
