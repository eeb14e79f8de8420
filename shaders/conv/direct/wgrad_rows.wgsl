// A thread has the weights of one row of a filter, for one channel and 4 VECTORS filters: S VECTORS sums, in vectors of
// four filters. A workgroup has WZ times as many filters and CB channels, all their rows, and a slice of the images.
// TILE_P rows of an image's outputs are staged at a time: the patch of input that they meet, and their gradients with
// filters side by side. Each tile is summed on its own before it is added, which keeps long sums accurate.
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const SLICES = 1u;
const VECTORS = 2u;
const WZ = 1u;
const CB = 1u;
const TILE_P = 1u;

const ROWS = CB * R;
const BLOCK = WZ * VECTORS; // filters, in vectors of four
const BLOCKS_K = (KG + 4u * BLOCK - 1u) / (4u * BLOCK);
const BLOCKS_C = (CG + CB - 1u) / CB;
const BLOCKS = BLOCKS_K * BLOCKS_C;
const THREADS = ROWS * WZ;
const PATCH_W = (Q - 1u) * STRIDE_H + (S - 1u) * DILATION_H + 1u;
const PATCH_H = (TILE_P - 1u) * STRIDE_V + (R - 1u) * DILATION_V + 1u;
const PATCH = PATCH_W * PATCH_H;

var<workgroup> patches: array<f32, CB * PATCH>;
var<workgroup> gradients: array<vec4f, TILE_P * Q * BLOCK>;

@compute @workgroup_size(ROWS, WZ)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let item = group.y * groups.x + group.x;
  let slice = item / (BLOCKS * GROUPS);
  if (slice >= SLICES) {
    return;
  }
  let k0 = item % BLOCKS_K * BLOCK * 4u;
  let c0 = item / BLOCKS_K % BLOCKS_C * CB;
  let z = item / BLOCKS % GROUPS;
  let images = (sizes.N + SLICES - 1u) / SLICES;
  let c = local.x / R;
  let r = local.x % R;
  let mine = local.y * VECTORS;
  let first = c * PATCH + r * DILATION_V * PATCH_W;

  // A variable of the loop without a value keeps the previous round's on NVIDIA's driver 580.
  var sums: array<vec4f, S * VECTORS>;
  var totals: array<vec4f, S * VECTORS>;
  var biases: array<vec4f, VECTORS>;
  for (var image = slice * images; image < min(sizes.N, (slice + 1u) * images); image++) {
    for (var p0 = 0u; p0 < P; p0 += TILE_P) {
      workgroupBarrier();
      let h0 = input_row(p0, 0u); // huge where it would be negative
      let w0 = input_column(0u, 0u);
      for (var i = thread; i < CB * PATCH; i += THREADS) {
        let channel = c0 + i / PATCH;
        let h = h0 + i % PATCH / PATCH_W;
        let w = w0 + i % PATCH_W;
        let at = image * C * HW + (z * CG + channel) * X_CHANNEL + (h * W + w) * X_PIXEL;
        patches[i] = select(0.0, f32(x[at]), (channel < CG) & (h < H) & (w < W));
      }
      for (var i = thread; i < TILE_P * Q * BLOCK; i += THREADS) {
        let pixel = p0 * Q + i / BLOCK;
        let k = k0 + i % BLOCK * 4u;
        let at = image * K * PQ + (z * KG + k) * Y_CHANNEL + pixel * Y_PIXEL;
        var four = vec4f();
        // @unroll
        for (var j = 0u; j < 4u; j++) {
          four[j] = select(0.0, f32(dy[at + j * Y_CHANNEL]), (k + j < KG) & (pixel < PQ));
        }
        gradients[i] = four;
      }
      workgroupBarrier();
      for (var p = 0u; p < TILE_P; p++) {
        for (var q = 0u; q < Q; q++) {
          var four: array<vec4f, VECTORS>;
          // @unroll
          for (var j = 0u; j < VECTORS; j++) {
            four[j] = gradients[(p * Q + q) * BLOCK + mine + j];
          }
          let at = first + p * STRIDE_V * PATCH_W + q * STRIDE_H;
          // @unroll
          for (var s = 0u; s < S; s++) {
            let number = patches[at + s * DILATION_H];
            // @unroll
            for (var j = 0u; j < VECTORS; j++) {
              sums[s * VECTORS + j] += number * four[j];
            }
          }
        }
      }
      // @unroll
      for (var i = 0u; i < S * VECTORS; i++) {
        totals[i] += sums[i];
        sums[i] = vec4f();
      }
      if (HAS_BIAS) {
        if (c0 + local.x == 0u) {
          // @unroll
          for (var j = 0u; j < VECTORS; j++) {
            var sum = vec4f();
            for (var i = 0u; i < TILE_P * Q; i++) {
              sum += gradients[i * BLOCK + mine + j];
            }
            biases[j] += sum;
          }
        }
      }
    }
  }
  // @unroll
  for (var j = 0u; j < VECTORS; j++) {
    for (var n = 0u; n < 4u; n++) {
      let k = k0 + (mine + j) * 4u + n;
      if (k < KG && c0 + c < CG) {
        let at = ((slice * GROUPS + z) * KG + k) * CRS + (c0 + c) * W_CHANNEL + r * S * W_PIXEL;
        // @unroll
        for (var s = 0u; s < S; s++) {
          dw[at + s * W_PIXEL] = totals[s * VECTORS + j][n];
        }
      }
      if (HAS_BIAS) {
        if (c0 + local.x == 0u && k < KG) {
          db[(slice * GROUPS + z) * KG + k] = biases[j][n];
        }
      }
    }
  }
}
