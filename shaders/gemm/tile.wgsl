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
    let vector_k = thread % VECTORS * VECTOR;
    let vector_m = m0 + thread % (BM / VECTOR) * VECTOR;
    let vector_n = n0 + thread % (BN / VECTOR) * VECTOR;
    var a_rows: array<Row, select(4u, A_LOADS, A_ALONG_K)>;
    if (A_ALONG_K) {
      // @unroll
      for (var i = 0u; i < A_LOADS; i++) {
        a_rows[i] = a_row(z, m0 + (thread + i * THREADS) / VECTORS);
      }
    } else {
      // @unroll
      for (var i = 0u; i < 4u; i++) {
        a_rows[i] = a_row(z, vector_m + i);
      }
    }
    var b_columns: array<vec4u, select(4u, B_LOADS, B_ALONG_K)>;
    if (B_ALONG_K) {
      // @unroll
      for (var i = 0u; i < B_LOADS; i++) {
        b_columns[i] = b_column(z, n0 + (thread + i * THREADS) / VECTORS);
      }
    } else {
      // @unroll
      for (var i = 0u; i < 4u; i++) {
        b_columns[i] = b_column(z, vector_n + i);
      }
    }
    var next_a: array<Loaded, A_LOADS>;
    var next_b: array<Loaded, B_LOADS>;
    for (var start = size.z; start < end; start += STRETCH) {
      let stop = min(end, start + STRETCH);
      for (var k0 = start; ; k0 += BK) {
        // Load the next step (unused after the last one), then multiply the staged one.
        let along = k0 + vector_k;
        let used = along + FOUR < vec4u(end);
        if (A_ALONG_K) {
          let steps = a_steps(z, along);
          // @unroll
          for (var i = 0u; i < A_LOADS; i++) {
            next_a[i] = a_along_k(a_rows[i], steps);
            if (MASKED) {
              next_a[i] = select(Loaded(), next_a[i], used);
            }
          }
        } else {
          // @unroll
          for (var i = 0u; i < A_LOADS; i++) {
            let k = k0 + (thread + i * THREADS) / (BM / VECTOR);
            next_a[i] = a_along_m(a_rows, a_step(z, k));
            if (MASKED) {
              next_a[i] = select(Loaded(), next_a[i], k < end);
            }
          }
        }
        if (B_ALONG_K) {
          let steps = b_steps(z, along);
          // @unroll
          for (var i = 0u; i < B_LOADS; i++) {
            next_b[i] = b_along_k(b_columns[i], steps);
            if (MASKED) {
              next_b[i] = select(Loaded(), next_b[i], used);
            }
          }
        } else {
          // @unroll
          for (var i = 0u; i < B_LOADS; i++) {
            let k = k0 + (thread + i * THREADS) / (BN / VECTOR);
            next_b[i] = b_along_n(b_columns, b_step(z, k));
            if (MASKED) {
              next_b[i] = select(Loaded(), next_b[i], k < end);
            }
          }
        }
        if (k0 > start) {
          if (MATRICES) {
            let left_part = left_part_of(thread);
            let right_part = right_part_of(thread);
            // @unroll
            for (var step = 0u; step < STEPS; step++) {
              var left: array<Left, FRAGMENTS_M>;
              // @unroll
              for (var i = 0u; i < FRAGMENTS_M; i++) {
                if (EMULATED) {
                  left[i] = emulated_left(thread, i, step);
                } else if (A_ALONG_K) {
                  left[i] = subgroupMatrixLoad<Left, row_major>(&staged_left[left_part], i * FRAGMENT * LEFT_LINE + step * FRAGMENT / VECTOR, LEFT_LINE);
                } else {
                  left[i] = subgroupMatrixLoad<Left, col_major>(&staged_left[left_part], step * FRAGMENT * LEFT_LINE + i * FRAGMENT / VECTOR, LEFT_LINE);
                }
              }
              // @unroll
              for (var j = 0u; j < FRAGMENTS_N; j++) {
                var right: Right;
                if (EMULATED) {
                  right = emulated_right(thread, j, step);
                } else if (B_ALONG_K) {
                  right = subgroupMatrixLoad<Right, col_major>(&staged_right[right_part], j * FRAGMENT * RIGHT_LINE + step * FRAGMENT / VECTOR, RIGHT_LINE);
                } else {
                  right = subgroupMatrixLoad<Right, row_major>(&staged_right[right_part], step * FRAGMENT * RIGHT_LINE + j * FRAGMENT / VECTOR, RIGHT_LINE);
                }
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
            if (t < A_COPIED) {
              stage_left(t, next_a[i]);
            }
          } else if (A_ALONG_K) {
            // Value by value: threads multiply with vectors along m.
            let m = t / VECTORS;
            // @unroll
            for (var kk = 0u; kk < 4u; kk++) {
              staged_a[(vector_k + kk) * A_LINE + m / 4u][m % 4u] = next_a[i][kk];
            }
          } else {
            staged_a[t] = next_a[i];
          }
        }
        // @unroll
        for (var i = 0u; i < B_LOADS; i++) {
          let t = thread + i * THREADS;
          if (MATRICES) {
            if (t < B_COPIED) {
              stage_right(t, next_b[i]);
            }
          } else if (B_ALONG_K) {
            // Value by value: threads multiply with vectors along n.
            let n = t / VECTORS;
            // @unroll
            for (var kk = 0u; kk < 4u; kk++) {
              staged_b[(vector_k + kk) * B_LINE + n / 4u][n % 4u] = next_b[i][kk];
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
    // Fragments are opaque: some at a time are written to workgroup memory, where the subgroup's threads find their values.
    // @unroll
    for (var i = 0u; i < FRAGMENTS_M; i++) {
      // @unroll
      for (var part = 0u; part < FRAGMENTS_N / AT_ONCE; part++) {
        workgroupBarrier();
        // @unroll
        for (var j = 0u; j < AT_ONCE; j++) {
          write_fragment(thread, j, c[i * FRAGMENTS_N + part * AT_ONCE + j]);
        }
        workgroupBarrier();
        // @unroll
        for (var j = 0u; j < 2u * AT_ONCE; j++) {
          let four = thread % SUBGROUP + j * SUBGROUP;
          let m = m0 + left_part_of(thread) * SUB_M + i * FRAGMENT + four / WRITTEN_FOURS;
          let n = n0 + right_part_of(thread) * SUB_N + part * AT_ONCE * FRAGMENT + four % WRITTEN_FOURS * 4u;
          if (m < size.x && n < size.y) {
            store(z, m, n, written_four(thread, four));
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
