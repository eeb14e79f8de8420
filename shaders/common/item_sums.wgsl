// Sums over items of values that lie side by side: one workgroup adds up an item, or without SHARED one thread.
// @import common/shared_sum

// Longer sums are added up in parts: they lose less precision.
const SPAN = 256u;
const STEP = select(1u, THREADS, SHARED); // from one value of a thread to the next

fn item_of(group: vec3u, groups: vec3u, thread: u32) -> u32 {
  var item = group.y * groups.x + group.x;
  if (!SHARED) {
    item = item * THREADS + thread;
  }
  return item;
}

// Where a thread begins, from an item's first value.
fn start_of(thread: u32) -> u32 {
  return select(0u, thread, SHARED);
}
