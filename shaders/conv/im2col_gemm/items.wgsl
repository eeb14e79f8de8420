// Does every item once in any launch: workgroups of THREADS, and as many of them as there are. A file that imports this has
// item_count() and process(i), which a thread calls for each of its items.
// @import common/index

const THREADS = 64u;

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let all = THREADS * invocation.groups.x * invocation.groups.y;
  for (var i = item_index(invocation, THREADS); i < item_count(); i += all) {
    process(i);
  }
}
