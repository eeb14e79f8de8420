// Fills memory with a word that is NaN in whatever type it is read as, to find values that a kernel does not write.
// @import conv/choice/own_index

struct Sizes { words: u32, poison: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = own_index(invocation);
  if (i < sizes.words) {
    words[i] = sizes.poison;
  }
}
