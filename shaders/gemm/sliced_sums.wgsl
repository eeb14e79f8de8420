// Sums that were cut into SLICES, of two arrays at once: a layer's weights and its bias. Shared by the second passes.

const SLICES = 2u;
const WEIGHTS = 1u; // values in a slice of the first array
const BIASES = 1u; // and of the second
// In slices, weights are [filters, POSITIONS, CHANNELS], in dw [filters, CHANNELS, POSITIONS].
const CHANNELS = 1u;
const POSITIONS = 1u;

struct Sizes { count: u32 } // WEIGHTS + BIASES
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> weight_slices: array<f32>;
@group(0) @binding(2) var<storage, read> bias_slices: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

// Where weight i of dw lies in a slice.
fn place_of(i: u32) -> u32 {
  let row = i / (CHANNELS * POSITIONS);
  return (row * POSITIONS + i % POSITIONS) * CHANNELS + i / POSITIONS % CHANNELS;
}

fn store(i: u32, v: f32) {
  if (i < WEIGHTS) {
    dw[i] = v;
  } else {
    db[i - WEIGHTS] = v;
  }
}
