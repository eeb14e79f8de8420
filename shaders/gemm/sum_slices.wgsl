// Adds up sums that were cut into slices: the second pass, of all arrays [slices, count] at once. If there are many slices
// of few values, several threads share a value: each adds a run of slices, and their sums are added in order.
// @import common/tasks

const THREADS = 256u;
const SHARED = true; // whether threads may share a value; a barrier costs SwiftShader 50 microseconds
const AT_ONCE = 4u; // slices whose loads are issued before the first is added

// Of a task: values in a slice, slices, and threads that share a value. In slices, values are
// [rows, positions, channels], in the output [rows, channels, positions].
struct Sliced { count: u32, slices: u32, sharing: u32, channels: u32, positions: u32 }

var<workgroup> runs: array<f32, THREADS>;

// Where value i of the output lies in a slice.
fn place_of(i: u32, sliced: Sliced) -> u32 {
  if (sliced.positions == 1u) { return i; }
  let row = i / (sliced.channels * sliced.positions);
  return (row * sliced.positions + i % sliced.positions) * sliced.channels
    + i / sliced.positions % sliced.channels;
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let task = task_of(group, groups);
  let sliced = Sliced(
    number_of(task, 0u), number_of(task, 1u), number_of(task, 2u), number_of(task, 3u), number_of(task, 4u),
  );
  let width = THREADS / sliced.sharing;
  let i = task.group * width + thread % width;
  var sum = 0.0;
  if (i < sliced.count) {
    let run = (sliced.slices + sliced.sharing - 1u) / sliced.sharing;
    let first = thread / width * run;
    let end = min(sliced.slices, first + run);
    let place = task.input + place_of(i, sliced);
    for (var slice = first; slice < end; slice += AT_ONCE) {
      var values: array<f32, AT_ONCE>;
      // @unroll
      for (var j = 0u; j < AT_ONCE; j++) {
        values[j] = inputs[place + min(slice + j, end - 1u) * sliced.count];
      }
      // @unroll
      for (var j = 0u; j < AT_ONCE; j++) {
        sum += select(0.0, values[j], slice + j < end);
      }
    }
  }
  if (SHARED) {
    runs[thread] = sum;
    workgroupBarrier();
    if (thread < width) {
      for (var part = 1u; part < sliced.sharing; part++) {
        sum += runs[part * width + thread];
      }
    }
  }
  if (thread < width && i < sliced.count) {
    outputs[task.output + i] = sum;
  }
}
