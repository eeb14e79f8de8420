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
// of gemm/matrices. The workgroup has WX * WY threads, as without.

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
const HALVES = false; // if MATRICES: whether tiles are staged in 16 bits
alias Staged = vec4f; // four staged values: vec2u if HALVES
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
const THREADS = WX * WY; // if STAGED, a multiple of a tile's vectors along k, m and n, and a divisor of their number
const QUADS = BK / 4u;
const A_LOADS = BM * QUADS / THREADS; // vectors that a thread copies per step
const B_LOADS = BN * QUADS / THREADS;
// The vectors of a line of staged tiles, and its length in memory: unused ones avoid conflicts of memory banks. A line is a
// step of k. Tensor cores take tiles as they are loaded: there, a line is a row or column if those lie along k.
const A_QUADS = select(BM / 4u, QUADS, A_ALONG_K && MATRICES);
const B_QUADS = select(BN / 4u, QUADS, B_ALONG_K && MATRICES);
const A_LINE = A_QUADS + select(select(0u, 1u, A_ALONG_K), 2u, MATRICES);
const B_LINE = B_QUADS + select(select(0u, 1u, B_ALONG_K), 2u, MATRICES);
const RESULTS = select(0u, THREADS * select(2u, 4u, HALVES), MATRICES); // a fragment of each subgroup, over A's tile
const A_ROOM = max(RESULTS, BM * QUADS / A_QUADS * A_LINE);
const B_ROOM = BN * QUADS / B_QUADS * B_LINE;
const FOUR = vec4u(0u, 1u, 2u, 3u);
// @import gemm/matrices if MATRICES

var<workgroup> staged_a: array<Staged, select(1u, A_ROOM, STAGED)>;
var<workgroup> staged_b: array<Staged, select(1u, B_ROOM, STAGED)>;
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
  let m0 = (first + within % height) * BM;
  let n0 = within / height * BN;
  let row = local.y * TM;

  var c: array<Sum, SUMS>;
  var total: array<vec4f, select(1u, TM * TN, PARTIAL_SUMS)>;
  var rows: array<f32, TM>;
  var columns: array<vec4f, TN>;
  if (STAGED) {
    // A thread copies the same rows and columns at every step. Those of its vectors that lie along k are at the same k;
    // those along m or n belong to the same four rows or columns, each at a different k.
    let quad_k = thread % QUADS * 4u;
    let quad_m = m0 + thread % (BM / 4u) * 4u;
    let quad_n = n0 + thread % (BN / 4u) * 4u;
    var a_rows: array<Row, select(4u, A_LOADS, A_ALONG_K)>;
    if (A_ALONG_K) {
      // @unroll
      for (var i = 0u; i < A_LOADS; i++) {
        a_rows[i] = a_row(z, m0 + (thread + i * THREADS) / QUADS);
      }
    } else {
      // @unroll
      for (var i = 0u; i < 4u; i++) {
        a_rows[i] = a_row(z, quad_m + i);
      }
    }
    var b_columns: array<vec4u, select(4u, B_LOADS, B_ALONG_K)>;
    if (B_ALONG_K) {
      // @unroll
      for (var i = 0u; i < B_LOADS; i++) {
        b_columns[i] = b_column(z, n0 + (thread + i * THREADS) / QUADS);
      }
    } else {
      // @unroll
      for (var i = 0u; i < 4u; i++) {
        b_columns[i] = b_column(z, quad_n + i);
      }
    }
    var next_a: array<vec4f, A_LOADS>;
    var next_b: array<vec4f, B_LOADS>;
    for (var start = size.z; start < end; start += STRETCH) {
      let stop = min(end, start + STRETCH);
      for (var k0 = start; ; k0 += BK) {
        // Load the next step (unused after the last one), then multiply the staged one.
        let along = k0 + quad_k;
        let used = along + FOUR < vec4u(end);
        if (A_ALONG_K) {
          let steps = a_steps(z, along);
          // @unroll
          for (var i = 0u; i < A_LOADS; i++) {
            next_a[i] = a_along_k(a_rows[i], steps);
            if (MASKED) {
              next_a[i] = select(vec4f(), next_a[i], used);
            }
          }
        } else {
          // @unroll
          for (var i = 0u; i < A_LOADS; i++) {
            let k = k0 + (thread + i * THREADS) / (BM / 4u);
            next_a[i] = a_along_m(a_rows, a_step(z, k));
            if (MASKED) {
              next_a[i] = select(vec4f(), next_a[i], k < end);
            }
          }
        }
        if (B_ALONG_K) {
          let steps = b_steps(z, along);
          // @unroll
          for (var i = 0u; i < B_LOADS; i++) {
            next_b[i] = b_along_k(b_columns[i], steps);
            if (MASKED) {
              next_b[i] = select(vec4f(), next_b[i], used);
            }
          }
        } else {
          // @unroll
          for (var i = 0u; i < B_LOADS; i++) {
            let k = k0 + (thread + i * THREADS) / (BN / 4u);
            next_b[i] = b_along_n(b_columns, b_step(z, k));
            if (MASKED) {
              next_b[i] = select(vec4f(), next_b[i], k < end);
            }
          }
        }
        if (k0 > start) {
          if (MATRICES) {
            // @unroll
            for (var step = 0u; step < STEPS; step++) {
              var left: array<Left, FRAGMENTS_M>;
              // @unroll
              for (var i = 0u; i < FRAGMENTS_M; i++) {
                left[i] = load_left(thread, sub_m(thread) + i * FRAGMENT, step * FRAGMENT);
              }
              // @unroll
              for (var j = 0u; j < FRAGMENTS_N; j++) {
                let right = load_right(thread, sub_n(thread) + j * FRAGMENT, step * FRAGMENT);
                // @unroll
                for (var i = 0u; i < FRAGMENTS_M; i++) {
                  c[i * FRAGMENTS_N + j] = multiply_add(left[i], right, c[i * FRAGMENTS_N + j]);
                }
              }
            }
          } else {
            // @unroll
            for (var k = 0u; k < BK; k++) {
              // @unroll
              for (var i = 0u; i < TM / 4u; i++) {
                let four = staged_a[k * A_LINE + row / 4u + i];
                rows[i * 4u] = four.x;
                rows[i * 4u + 1u] = four.y;
                rows[i * 4u + 2u] = four.z;
                rows[i * 4u + 3u] = four.w;
              }
              // @unroll
              for (var j = 0u; j < TN; j++) {
                columns[j] = staged_b[k * B_LINE + j * WX + local.x];
              }
              // @unroll
              for (var i = 0u; i < TM; i++) {
                // @unroll
                for (var j = 0u; j < TN; j++) {
                  c[i * TN + j] += rows[i] * columns[j];
                }
              }
            }
          }
        }
        if (k0 >= stop) {
          break;
        }
        workgroupBarrier();
        // @unroll
        for (var i = 0u; i < A_LOADS; i++) {
          let t = thread + i * THREADS;
          if (MATRICES) {
            let place = t / A_QUADS * A_LINE + t % A_QUADS;
            if (HALVES) {
              staged_a[place] = halves(next_a[i]);
            } else {
              staged_a[place] = next_a[i];
            }
          } else if (A_ALONG_K) {
            // Value by value: threads multiply with vectors along m.
            let m = t / QUADS;
            // @unroll
            for (var kk = 0u; kk < 4u; kk++) {
              staged_a[(quad_k + kk) * A_LINE + m / 4u][m % 4u] = next_a[i][kk];
            }
          } else {
            staged_a[t] = next_a[i];
          }
        }
        // @unroll
        for (var i = 0u; i < B_LOADS; i++) {
          let t = thread + i * THREADS;
          if (MATRICES) {
            let place = t / B_QUADS * B_LINE + t % B_QUADS;
            if (HALVES) {
              staged_b[place] = halves(next_b[i]);
            } else {
              staged_b[place] = next_b[i];
            }
          } else if (B_ALONG_K) {
            // Value by value: threads multiply with vectors along n.
            let n = t / QUADS;
            // @unroll
            for (var kk = 0u; kk < 4u; kk++) {
              staged_b[(quad_k + kk) * B_LINE + n / 4u][n % 4u] = next_b[i][kk];
            }
          } else {
            staged_b[t] = next_b[i];
          }
        }
        workgroupBarrier();
      }
      if (PARTIAL_SUMS) {
        // @unroll
        for (var i = 0u; i < TM * TN; i++) {
          total[i] += c[i];
          c[i] = vec4f();
        }
      }
    }
  } else {
    var a_rows: array<Row, TM>;
    // @unroll
    for (var i = 0u; i < TM; i++) {
      a_rows[i] = a_row(z, m0 + row + i);
    }
    var b_columns: array<vec4u, TN * 4u>;
    // @unroll
    for (var j = 0u; j < TN * 4u; j++) {
      b_columns[j] = b_column(z, n0 + (j / 4u * WX + local.x) * 4u + j % 4u);
    }
    for (var k = size.z + local.z; k < end; k += WK) {
      if (PARTIAL_SUMS) {
        if (k / WK % SPAN == 0u) {
          // @unroll
          for (var i = 0u; i < TM * TN; i++) {
            total[i] += c[i];
            c[i] = vec4f();
          }
        }
      }
      let along_a = a_step(z, k);
      let along_b = b_step(z, k);
      // @unroll
      for (var i = 0u; i < TM; i++) {
        rows[i] = a_number(a_rows[i] + along_a);
      }
      // @unroll
      for (var j = 0u; j < TN; j++) {
        columns[j] = vec4f(
          b_number(b_columns[j * 4u], along_b),
          b_number(b_columns[j * 4u + 1u], along_b),
          b_number(b_columns[j * 4u + 2u], along_b),
          b_number(b_columns[j * 4u + 3u], along_b),
        );
      }
      // @unroll
      for (var i = 0u; i < TM; i++) {
        // @unroll
        for (var j = 0u; j < TN; j++) {
          c[i * TN + j] += rows[i] * columns[j];
        }
      }
    }
  }
  if (PARTIAL_SUMS) {
    // @unroll
    for (var i = 0u; i < TM * TN; i++) {
      c[i] += total[i];
    }
  }
  if (MATRICES) {
    // Fragments are opaque: each is written to workgroup memory, where the subgroup's threads find its values.
    // @unroll
    for (var i = 0u; i < FRAGMENTS_M; i++) {
      // @unroll
      for (var j = 0u; j < FRAGMENTS_N; j++) {
        workgroupBarrier();
        write_fragment(thread, c[i * FRAGMENTS_N + j]);
        workgroupBarrier();
        for (var four = thread % SUBGROUP; four < FRAGMENT * FRAGMENT / 4u; four += SUBGROUP) {
          let m = m0 + sub_m(thread) + i * FRAGMENT + four / (FRAGMENT / 4u);
          let n = n0 + sub_n(thread) + j * FRAGMENT + four % (FRAGMENT / 4u) * 4u;
          if (m < size.x && n < size.y) {
            store(z, m, n, fragment_four(thread, four));
          }
        }
      }
    }
  } else if (SPLIT) {
    let mine = local.y * WX + local.x;
    // @unroll
    for (var i = 0u; i < TM * TN; i++) {
      parts[(i * WK + local.z) * THREADS + mine] = c[i];
    }
    workgroupBarrier();
    for (var i = local.z; i < TM * TN; i += WK) {
      // Without the value, SwiftShader (Chromium 156) keeps the previous round's sum; tiles.gpu.test.ts shows when that
      // is fixed.
      var sum = vec4f();
      for (var w = 0u; w < WK; w++) {
        sum += parts[(i * WK + w) * THREADS + mine];
      }
      let m = m0 + row + i / TN;
      let n = n0 + (i % TN * WX + local.x) * 4u;
      if (m < size.x && n < size.y) {
        store(z, m, n, sum);
      }
    }
  } else {
    // @unroll
    for (var i = 0u; i < TM; i++) {
      // @unroll
      for (var j = 0u; j < TN; j++) {
        let n = n0 + (j * WX + local.x) * 4u;
        let m = m0 + row + i;
        if (m < size.x && n < size.y) {
          store(z, m, n, c[i * TN + j]);
        }
      }
    }
  }
}
