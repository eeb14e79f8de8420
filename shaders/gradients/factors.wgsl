// The second pass, in one workgroup and a fixed order: the norm, and by what the gradients are to be multiplied, as
// PyTorch's clip_grad_norm_ has it.

struct Sizes { parts: u32, largest: f32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> sums: array<f32>; // [parts]
@group(0) @binding(2) var<storage, read_write> factor: array<f32>; // [1]

const THREADS = 256u;
var<workgroup> totals: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  var total = 0.0;
  for (var part = local; part < sizes.parts; part += THREADS) { total += sums[part]; }
  totals[local] = total;
  workgroupBarrier();
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    if (local < half) { totals[local] += totals[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    let wanted = sizes.largest / (sqrt(totals[0]) + 1e-6);
    // Not min(), which would make 1 of NaN.
    factor[0] = select(wanted, 1.0, wanted > 1.0);
  }
}
