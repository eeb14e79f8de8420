// Makes a batch out of the data set's bytes: x = (byte / 255 - mean) / deviation by channel, and the labels; one thread
// an element of x. Beyond step.count: zero images, label 0.
// @import common/index
// @import common/step

struct Sizes { count: u32 } // elements of x
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> images: array<u32>; // bytes, PIXELS an image, four a word
@group(0) @binding(2) var<storage, read> image_labels: array<u32>; // bytes, four a word
@group(0) @binding(3) var<storage, read> channels: array<vec2f>; // mean and deviation of each channel
@group(0) @binding(4) var<storage, read_write> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;

const PIXELS = 1u; // of all channels
const PLANE = 1u; // of one

fn byte_of(word: u32, at: u32) -> u32 {
  return (word >> (8u * (at % 4u))) & 0xffu;
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  let row = i / PIXELS;
  let pixel = i % PIXELS;
  var value = 0.0;
  var label = 0u;
  if (row < step.count) {
    let image = step.indices[row];
    let at = image * PIXELS + pixel;
    let channel = channels[pixel / PLANE];
    value = (f32(byte_of(images[at / 4u], at)) / 255.0 - channel.x) / channel.y;
    label = byte_of(image_labels[image / 4u], image);
  }
  x[i] = value;
  if (pixel == 0u) { labels[row] = label; }
}
