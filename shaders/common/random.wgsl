// Stateless random numbers: a hash of where they are used. The hash is pcg4d of Jarzynski and Olano,
// "Hash Functions for GPU Rendering" (JCGT 9:3, 2020, https://jcgt.org/published/0009/03/02/): a dozen multiplications
// for four words, while Philox would need wide products, which WGSL lacks. src/base/random-words.ts returns the same
// bits.
//
//   random_words(step.seed, STREAM, i)
//
// STREAM separates uses of one seed (by layer or purpose); i is the place: an element, or four of them.

fn random_words(seed: u32, stream: u32, place: u32) -> vec4u {
  var v = vec4u(place, stream, seed, 0u) * 1664525u + 1013904223u;
  v = mixed_words(v);
  v ^= v >> vec4u(16u);
  return mixed_words(v);
}

fn mixed_words(words: vec4u) -> vec4u {
  var v = words;
  v.x += v.y * v.w;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v.w += v.y * v.z;
  return v;
}

// A number, uniform on [0, 1): the word's high 24 bits, which are the most random and which f32 holds exactly.
fn unit(word: u32) -> f32 {
  return f32(word >> 8u) * 0x1p-24f;
}

// An integer, uniform on [0, bound) up to a bias of bound / 65536. bound: 1 to 65536.
fn below(word: u32, bound: u32) -> u32 {
  return ((word >> 16u) * bound) >> 16u;
}
