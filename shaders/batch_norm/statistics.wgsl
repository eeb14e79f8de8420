// Each channel's mean and variance from its slices' moments. The variance that normalises is biased, over n; that of the
// running statistics is unbiased, over n - 1. One workgroup, or without SHARED one thread, per channel.
// @import batch_norm/combine

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> moments: array<f32>; // [2, SLICES, C]
@group(0) @binding(3) var<storage, read_write> statistics: array<f32>; // [3, C]: mean, variance, unbiased variance

// The first value of a channel.
fn first_of(channel: u32) -> f32 {
  if (CHANNELS_LAST) {
    return vec4f(Piece(x[piece_at(0u, channel / WIDTH)]))[channel % WIDTH];
  } else {
    return vec4f(Piece(x[piece_at(0u, channel)])).x;
  }
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  var channel = group.y * groups.x + group.x;
  if (!SHARED) {
    channel = channel * THREADS + thread;
  }
  if (channel >= C) { return; }
  let found = combined(sizes.N, channel, thread);
  if (SHARED) {
    if (thread != 0u) { return; }
  }
  let count = f32(sizes.N * PLANE);
  statistics[channel] = first_of(channel) + found.center;
  statistics[C + channel] = found.squares / count;
  statistics[2u * C + channel] = found.squares / (count - 1.0);
}
