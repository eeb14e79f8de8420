// The core of every matrix multiplication: C = A B, one tile of C per workgroup, TM x 4 TN values of it per thread.
//
// The importing file provides the matrices' values. `z` is the workgroup's z: it numbers products of one dispatch
// (groups of a convolution, slices of a long sum).
//
//   fn extent(z: u32) -> vec4u                       M, N, and the first and the end of the range of k to sum over
//   fn a_row(z: u32, m: u32) -> Row                  A[m, k] is a_number(a_row(z, m) + a_step(z, k))
//   fn a_step(z: u32, k: u32) -> Row                 gemm/steps has a_steps, b_steps: four steps from k on
//   fn a_number(at: Row) -> f32
//   fn b_column(z: u32, n: u32) -> vec4u             B[k, n] is b_number(b_column(z, n), b_step(z, k))
//   fn b_step(z: u32, k: u32) -> vec4u
//   fn b_number(column: vec4u, step: vec4u) -> f32
//   fn store(z: u32, m: u32, n: u32, c: vec4f) C[m, n .. n+3]; m < M and n < N, but n + 3 may be past the end
//
// A row's or column's part is computed once and used all along k: apart from loads, a gather's cost is the divisions
// that decompose indices. Rows and columns past an edge are read from any address (WebGPU keeps reads inside the buffer),
// computed and not stored. MASKED is needed unless K is a multiple of BK.
//
// STAGED copies the tiles of A and B to workgroup memory first, as vectors of four from gemm/quads: best for large
// products on GPUs. The vectors of the next step are loaded while this step's are multiplied. Without it every thread
// loads its own values without barriers: faster for small or thin products, and on SwiftShader, where it also compiles
// in a tenth of the time. There, SPLIT shares each sum among WK threads. Values are loaded without branches, which cost
// SwiftShader's compiler seconds.
//
// MATRICES multiplies the staged tiles on tensor cores: a subgroup computes SUB_M x SUB_N values of C, in the fragments
// of gemm/matrices. The workgroup has WX * WY threads, as without. WIDE copies values of 16 bits as they lie in memory,
// eight at a time, where neighbours always come in eights.
//
// `main` finds the tile, runs a main loop (gemm/tile_staged or direct) and stores the sums (gemm/tile_store, store_split or
// store_matrices). The files gemm/tile_* are its parts: statements that see what is declared above their import.

alias Row = u32; // an address in A, or a vec4u that a_number turns into one
const TM = 4u; // rows per thread; a multiple of 4 if STAGED
const TN = 1u; // columns per thread, in vectors of four
const WX = 8u; // threads along N
const WY = 4u; // threads along M
const WK = 1u; // threads along K, if SPLIT
const BK = 16u; // depth of a step, a multiple of 4; ranges of k that are not the last are multiples of it
const SWIZZLE = 8u; // rows of tiles per band of the order in which tiles run
const STAGED = true;
const MATRICES = false; // only with STAGED
const WIDE = false; // only with MATRICES: whether a vector is eight values, in 16 bits each
alias Loaded = vec4f; // a vector as the importing file loads it: vec4u if WIDE
alias Sum = vec4f; // what sums are kept in: fragments if MATRICES
const FRAGMENTS = 1u; // of a subgroup, if MATRICES
const SUMS = select(TM * TN, FRAGMENTS, MATRICES);
const SPLIT = false; // only without STAGED
const MASKED = true;
const PARTIAL_SUMS = false; // for long sums: a thread adds up every SPAN terms separately, so errors grow more slowly
const SPAN = 1024u; // a multiple of BK
const STRETCH = select(0x40000000u, SPAN, PARTIAL_SUMS);
const A_ALONG_K = true; // whether neighbours in memory are neighbours along k, or along m or n
const B_ALONG_K = false;

const BM = WY * TM;
const BN = WX * TN * 4u;
const THREADS = WX * WY; // if STAGED, a multiple of a tile's vectors along k, m and n
const VECTOR = 4u; // values: 8 if WIDE
const VECTORS = BK / VECTOR;
const A_COPIED = BM * VECTORS; // vectors per step
const B_COPIED = BN * VECTORS;
const A_LOADS = 1u; // of them by a thread, rounded up
const B_LOADS = 1u;
// The vectors of a line of staged tiles, a step of k: an unused one avoids conflicts of memory banks.
const A_LINE = BM / 4u + select(0u, 1u, A_ALONG_K);
const B_LINE = BN / 4u + select(0u, 1u, B_ALONG_K);
const STAGED_HERE = STAGED && !MATRICES; // gemm/matrices has memory of its own
const FOUR = vec4u(0u, 1u, 2u, 3u) * select(1u, 0u, WIDE);
// @import gemm/matrices if MATRICES

var<workgroup> staged_a: array<vec4f, select(1u, BK * A_LINE, STAGED_HERE)>;
var<workgroup> staged_b: array<vec4f, select(1u, BK * B_LINE, STAGED_HERE)>;
var<workgroup> parts: array<vec4f, select(1u, THREADS * WK * TM * TN, SPLIT)>;

// Subgroup matrices want the threads of a workgroup along x.
@compute @workgroup_size(select(WX, THREADS, MATRICES), select(WY, 1u, MATRICES), WK)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let z = group.z;
  let size = extent(z);
  let end = size.w;
  // Tiles are ordered down bands of SWIZZLE rows of tiles: workgroups that run at the same time share rows and columns.
  let tiles_m = (size.x + BM - 1u) / BM;
  let tiles_n = (size.y + BN - 1u) / BN;
  let tile = group.y * groups.x + group.x;
  if (tile >= tiles_m * tiles_n) {
    return;
  }
  let first = tile / (SWIZZLE * tiles_n) * SWIZZLE;
  let height = min(SWIZZLE, tiles_m - first);
  let within = tile - first * tiles_n;
  let m0 = (first + within % height) * BM; // the tile's first row
  let n0 = within / height * BN; // and column
  let row = local.y * TM; // the thread's first row in the tile

  var c: array<Sum, SUMS>; // of a thread, or its part of the fragments of a subgroup
  var total: array<vec4f, select(1u, TM * TN, PARTIAL_SUMS)>; // of the spans before
  var rows: array<f32, TM>; // values of A at one k
  var columns: array<vec4f, TN>; // and of B
  if (STAGED) {
    // @import gemm/tile_staged
  } else {
    // @import gemm/tile_direct
  }
  if (PARTIAL_SUMS) {
    // @unroll
    for (var i = 0u; i < TM * TN; i++) {
      c[i] += total[i];
    }
  }
  if (MATRICES) {
    // @import gemm/tile_store_matrices if MATRICES
  } else if (SPLIT) {
    // @import gemm/tile_store_split
  } else {
    // @import gemm/tile_store
  }
}
