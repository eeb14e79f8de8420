// One workgroup per tile of the outputs of one image, for a block of the filters of one group. A thread has ROWS pixels, one
// below the other with WY between them, times 4 VECTORS filters: each value that it reads from workgroup memory serves
// several sums. DEPTH channels are staged at a time: the patch of input that the tile reads, and the block's weights.
// @import conv/direct/finish
// @import conv/direct/weights

@group(0) @binding(5) var<storage, read> w: array<Number>;

const WX = 16u; // threads along an output row
const WY = 4u; // along a column
const WZ = 4u; // along the filters
const ROWS = 4u;
const VECTORS = 2u;
const DEPTH = 1u;
const PARTIAL_SUMS = false; // for long sums: those of STEPS times DEPTH channels are added up separately, so errors grow more slowly
const STEPS = 1u;

const TILE_H = WY * ROWS;
const BLOCK = WZ * VECTORS; // filters, in vectors of four
const BLOCKS = (KG + 4u * BLOCK - 1u) / (4u * BLOCK);
const THREADS = WX * WY * WZ;
const TILES_X = (Q + WX - 1u) / WX;
const TILES = TILES_X * ((P + TILE_H - 1u) / TILE_H);
const PATCH_W = (WX - 1u) * STRIDE_H + (S - 1u) * DILATION_H + 1u;
const PATCH_H = (TILE_H - 1u) * STRIDE_V + (R - 1u) * DILATION_V + 1u;
const PATCH = PATCH_W * PATCH_H;

var<workgroup> patches: array<f32, DEPTH * PATCH>;
var<workgroup> staged: array<vec4f, DEPTH * RS * BLOCK>;

@compute @workgroup_size(WX, WY, WZ)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  // Tiles of one block and image follow one another, then blocks: they share weights, and then input.
  let item = group.y * groups.x + group.x;
  let image = item / (GROUPS * BLOCKS * TILES);
  if (image >= sizes.N) {
    return;
  }
  let block = item / TILES % BLOCKS * BLOCK;
  let channels = item / (TILES * BLOCKS) % GROUPS * CG; // where the group's channels start
  let filters = item / (TILES * BLOCKS) % GROUPS * KG;
  let p0 = item % TILES / TILES_X * TILE_H;
  let q0 = item % TILES_X * WX;
  let h0 = input_row(p0, 0u); // huge instead of negative
  let w0 = input_column(q0, 0u);
  let mine = local.y * STRIDE_V * PATCH_W + local.x * STRIDE_H;

  var sums: array<vec4f, ROWS * VECTORS>;
  var totals: array<vec4f, select(1u, ROWS * VECTORS, PARTIAL_SUMS)>;
  for (var c0 = 0u; c0 < CG; c0 += DEPTH) {
    workgroupBarrier();
    for (var i = thread; i < DEPTH * PATCH; i += THREADS) {
      // Neighbouring threads load neighbours in memory.
      let channel = select(i / PATCH, i % DEPTH, NHWC);
      let place = select(i % PATCH, i / DEPTH, NHWC);
      let c = c0 + channel;
      let h = h0 + place / PATCH_W;
      let column = w0 + place % PATCH_W;
      let at = image * C * HW + (channels + c) * X_CHANNEL + (h * W + column) * X_PIXEL;
      patches[channel * PATCH + place] = select(0.0, f32(x[at]), (c < CG) & (h < H) & (column < W));
    }
    for (var i = thread; i < DEPTH * RS * BLOCK; i += THREADS) {
      let c = c0 + i / (RS * BLOCK);
      let r = i / BLOCK % RS / S;
      let s = i / BLOCK % S;
      let k = (block + i % BLOCK) * 4u;
      var four = vec4f();
      // @unroll
      for (var j = 0u; j < 4u; j++) {
        let number = f32(w[weight_index(filters + k + j, c, r, s)]);
        four[j] = select(0.0, number, (k + j < KG) & (c < CG));
      }
      staged[i] = four;
    }
    workgroupBarrier();
    for (var c = 0u; c < DEPTH; c++) {
      for (var r = 0u; r < R; r++) {
        for (var s = 0u; s < S; s++) {
          var weights: array<vec4f, VECTORS>;
          // @unroll
          for (var j = 0u; j < VECTORS; j++) {
            weights[j] = staged[((c * R + r) * S + s) * BLOCK + local.z * VECTORS + j];
          }
          let first = c * PATCH + mine + r * DILATION_V * PATCH_W + s * DILATION_H;
          // @unroll
          for (var i = 0u; i < ROWS; i++) {
            let number = patches[first + i * WY * STRIDE_V * PATCH_W];
            // @unroll
            for (var j = 0u; j < VECTORS; j++) {
              sums[i * VECTORS + j] += number * weights[j];
            }
          }
        }
      }
    }
    if (PARTIAL_SUMS) {
      if (c0 / DEPTH % STEPS == STEPS - 1u) {
        // @unroll
        for (var i = 0u; i < ROWS * VECTORS; i++) {
          totals[i] += sums[i];
          sums[i] = vec4f();
        }
      }
    }
  }
  if (PARTIAL_SUMS) {
    // @unroll
    for (var i = 0u; i < ROWS * VECTORS; i++) {
      sums[i] += totals[i];
    }
  }
  let q = q0 + local.x;
  // @unroll
  for (var i = 0u; i < ROWS; i++) {
    let p = p0 + local.y + i * WY;
    // @unroll
    for (var j = 0u; j < VECTORS; j++) {
      let k = (block + local.z * VECTORS + j) * 4u;
      let four = sums[i * VECTORS + j];
      for (var n = 0u; n < 4u; n++) {
        if (p < P && q < Q && k + n < KG) {
          finish(image, filters + k + n, p, q, four[n]);
        }
      }
    }
  }
}
