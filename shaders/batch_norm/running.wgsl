// Moves running statistics towards a batch's, of all layers at once.
// @import common/tasks

const THREADS = 64u;

// Of a task: values, the share of what was there that is kept, that of what is added, and whether this is 1, to count
// batches, instead of an input.
@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let task = task_of(group, groups);
  let i = task.group * THREADS + thread;
  if (i >= number_of(task, 0u)) { return; }
  let kept = bitcast<f32>(number_of(task, 1u));
  let share = bitcast<f32>(number_of(task, 2u));
  let counts = number_of(task, 3u) == 1u;
  let found = select(inputs[task.input + i], 1.0, counts);
  outputs[task.output + i] = kept * outputs[task.output + i] + share * found;
}
