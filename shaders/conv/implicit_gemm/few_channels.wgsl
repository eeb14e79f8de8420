// y as a matrix multiplication with few terms per sum, such as a network's first layer: a block of FILTERS whole
// filters is held in workgroup memory, and each thread multiplies it with the columns of four output pixels, read
// directly from x. One barrier.
// @import conv/implicit_gemm/columns

const FILTERS = 16u; // a multiple of four
const THREADS = 64u;
const QUADS = FILTERS / 4u;

var<workgroup> weights: array<vec4f, CRS * QUADS>; // [CRS, FILTERS]

fn weight(z: u32, m: u32, k: u32) -> f32 {
  return select(0.0, f32(w[(z * KG + m) * CRS + k]), m < KG);
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let z = group.z;
  let blocks = (KG + FILTERS - 1u) / FILTERS;
  let tile = group.y * groups.x + group.x;
  let m0 = tile % blocks * FILTERS;
  for (var i = thread; i < CRS * QUADS; i += THREADS) {
    let k = i / QUADS;
    let m = m0 + i % QUADS * 4u;
    weights[i] = vec4f(weight(z, m, k), weight(z, m + 1u, k), weight(z, m + 2u, k), weight(z, m + 3u, k));
  }
  workgroupBarrier();
  let n = (tile / blocks * THREADS + thread) * 4u;
  var columns: array<vec4u, 4>;
  // @unroll
  for (var j = 0u; j < 4u; j++) {
    columns[j] = b_column(z, n + j);
  }
  var sums: array<vec4f, FILTERS>;
  var k = 0u;
  for (var c = 0u; c < CG; c++) {
    for (var r = 0u; r < R; r++) {
      for (var s = 0u; s < S; s++) {
        let step = place(c, r * DILATION_V, s * DILATION_H);
        let four = vec4f(
          b_number(columns[0], step),
          b_number(columns[1], step),
          b_number(columns[2], step),
          b_number(columns[3], step),
        );
        // @unroll
        for (var i = 0u; i < QUADS; i++) {
          let filters = weights[k * QUADS + i];
          sums[i * 4u] += filters.x * four;
          sums[i * 4u + 1u] += filters.y * four;
          sums[i * 4u + 2u] += filters.z * four;
          sums[i * 4u + 3u] += filters.w * four;
        }
        k++;
      }
    }
  }
  if (n < sizes.N * PQ) {
    // @unroll
    for (var i = 0u; i < FILTERS; i++) {
      if (m0 + i < KG) {
        store(z, m0 + i, n, sums[i]);
      }
    }
  }
}
