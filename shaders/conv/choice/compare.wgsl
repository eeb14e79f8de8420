// Compares all values of a result with a reference. Each thread compares every THREADS-th of them and writes what
// it found; the CPU combines the threads' results.
// @import conv/choice/own_index
// @import conv/choice/words

struct Sizes { count: u32, threads: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> result: array<u32>;
@group(0) @binding(2) var<storage, read> reference: array<u32>;
// A thread's largest difference and where it is, its largest reference, how many values of the result are not finite
// and where the first of them is, and how many of the reference.
@group(0) @binding(3) var<storage, read_write> parts: array<u32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let thread = own_index(invocation);
  if (thread >= sizes.threads) {
    return;
  }
  var difference = 0.0;
  var largest = 0.0;
  var worst = 0u;
  var bad = 0u;
  var first_bad = 0u;
  var bad_reference = 0u;
  for (var i = thread; i < sizes.count; i += sizes.threads) {
    let found = result[word_of(i)];
    let expected = reference[word_of(i)];
    let known = is_finite_at(expected, i);
    bad_reference += select(1u, 0u, known);
    largest = max(largest, select(0.0, abs(number_at(expected, i)), known));
    if (is_finite_at(found, i)) {
      let d = select(0.0, abs(number_at(found, i) - number_at(expected, i)), known);
      worst = select(worst, i, d > difference);
      difference = max(difference, d);
    } else {
      first_bad = select(first_bad, i, bad == 0u);
      bad++;
    }
  }
  parts[6u * thread] = bitcast<u32>(difference);
  parts[6u * thread + 1u] = worst;
  parts[6u * thread + 2u] = bitcast<u32>(largest);
  parts[6u * thread + 3u] = bad;
  parts[6u * thread + 4u] = first_bad;
  parts[6u * thread + 5u] = bad_reference;
}
