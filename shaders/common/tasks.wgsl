// Tasks of many layers in one dispatch, each with workgroups of its own: see src/engine/tasks.ts.

@group(0) @binding(0) var<storage, read> tasks: array<u32>; // the row of each workgroup's task, then the rows
@group(0) @binding(1) var<storage, read> inputs: array<f32>;
@group(0) @binding(2) var<storage, read_write> outputs: array<f32>;

// This workgroup's task, and which of its workgroups this is.
struct Task { group: u32, input: u32, output: u32, numbers: u32 }

fn task_of(group: vec3u, groups: vec3u) -> Task {
  let i = group.y * groups.x + group.x;
  let row = tasks[i];
  return Task(i - tasks[row], tasks[row + 1u], tasks[row + 2u], row + 3u);
}

fn number_of(task: Task, i: u32) -> u32 {
  return tasks[task.numbers + i];
}
