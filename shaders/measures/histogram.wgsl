// Counts values by sign and size: BINS_PER_OCTAVE bins for each power of two from SMALLEST to LARGEST, which follow from
// the bits of a number, so no range has to be known and counts are exact. Bins, in order: negative values from the largest
// on, values nearer to 0 than SMALLEST, positive values, values that are not finite. Larger ones are in the outermost bins.
// A workgroup counts PIECE values in its own memory, then adds its counts to those of all. Counts are whole numbers, so
// their order does not matter.
// @import common/index

struct Sizes { count: u32, first: u32 } // values; the first of this histogram's bins
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

const THREADS = 128u;
const PIECE = 4096u;
// The bits above those that a bin ignores, of SMALLEST and of LARGEST.
const SHIFT = 19u;
const SMALLEST = 1648u;
const LARGEST = 2416u;
const BINS = 1538u;

var<workgroup> own: array<atomic<u32>, BINS>;

fn bin_of(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  let size = (bits & 0x7fffffffu) >> SHIFT;
  if (size >= 0x7f800000u >> SHIFT) { return BINS - 1u; }
  let half = LARGEST - SMALLEST;
  if (size < SMALLEST) { return half; }
  let place = min(size, LARGEST - 1u) - SMALLEST;
  return select(half + 1u + place, half - 1u - place, bits >= 0x80000000u);
}

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let start = workgroup_index(invocation) * PIECE;
  for (var bin = invocation.local; bin < BINS; bin += THREADS) { atomicStore(&own[bin], 0u); }
  workgroupBarrier();
  let end = min(sizes.count, start + PIECE);
  for (var i = start + invocation.local; i < end; i += THREADS) { atomicAdd(&own[bin_of(x[i])], 1u); }
  workgroupBarrier();
  for (var bin = invocation.local; bin < BINS; bin += THREADS) {
    let count = atomicLoad(&own[bin]);
    if (count > 0u) { atomicAdd(&counts[sizes.first + bin], count); }
  }
}
