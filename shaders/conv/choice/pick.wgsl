// The values of a result at sampled places.
// @import conv/choice/own_index
// @import conv/choice/words

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> result: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> picked: array<f32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = own_index(invocation);
  if (i < sizes.count) {
    picked[i] = number_at(result[word_of(places[i])], places[i]);
  }
}
