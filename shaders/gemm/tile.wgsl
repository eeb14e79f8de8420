// The core of every matrix product: C = A B, one tile of C a workgroup, TM x 4 TN numbers of it a thread.
//
// The importing file says what the matrices are. `z` is the workgroup's z: it numbers products of one dispatch (groups
// of a convolution, slices of a long sum). Outside of the matrices, loads answer zeros.
//
//   fn extent(z: u32) -> vec4u                    M, N, and the first and the end of the range of k to sum over
//   fn a_at(z: u32, m: u32, k: u32) -> f32        A[m, k]
//   fn b_at(z: u32, k: u32, n: u32) -> f32        B[k, n]
//   fn load_a(z: u32, m: u32, k: u32) -> vec4f    A_ALONG_K: A[m, k .. k+3], else A[m .. m+3, k]
//   fn load_b(z: u32, k: u32, n: u32) -> vec4f    B_ALONG_K: B[k .. k+3, n], else B[k, n .. n+3]
//   fn store(z: u32, m: u32, n: u32, c: vec4f)    C[m, n .. n+3]; m < M and n < N, but n + 3 may be beyond
//
// Fours go the way the numbers lie in memory; gemm/quads makes them of single numbers. A range of k that is not the
// last ends at a multiple of BK.
//
// STAGED copies the tiles of A and B to workgroup memory first, for GPUs. Without it every thread loads for itself and
// needs no barriers: on SwiftShader that is faster, and compiles in a tenth of the time.

const TM = 4u; // rows a thread; a multiple of 4 if STAGED and not A_ALONG_K
const TN = 2u; // columns a thread, in fours
const WX = 16u; // threads along N
const WY = 16u; // threads along M
const BK = 16u; // depth of a step, a multiple of 4
const STAGED = true;
const A_ALONG_K = true;
const B_ALONG_K = false;

const BM = WY * TM;
const BN = WX * TN * 4u;
const QUADS = BK / 4u;
const A_TILE = BM * BK / 4u;
const B_TILE = BN * BK / 4u;
const B_ROW = QUADS + 1u; // one unused quad a row keeps threads off one another's memory banks
const B_ROOM = select(B_TILE, BN * B_ROW, B_ALONG_K);

var<workgroup> staged_a: array<vec4f, select(1u, A_TILE, STAGED)>;
var<workgroup> staged_b: array<vec4f, select(1u, B_ROOM, STAGED)>;

@compute @workgroup_size(WX, WY)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let z = group.z;
  let size = extent(z);
  let tiles_m = (size.x + BM - 1u) / BM;
  let tile = group.y * groups.x + group.x;
  let m0 = (tile % tiles_m) * BM;
  let n0 = (tile / tiles_m) * BN;
  if (n0 >= size.y) {
    return;
  }
  let row = local.y * TM;

  var c: array<vec4f, TM * TN>;
  var rows: array<f32, TM>;
  var columns: array<vec4f, TN>;
  if (STAGED) {
    for (var k0 = size.z; k0 < size.w; k0 += BK) {
      workgroupBarrier();
      for (var t = thread; t < A_TILE; t += WX * WY) {
        if (A_ALONG_K) {
          staged_a[t] = load_a(z, m0 + t / QUADS, k0 + t % QUADS * 4u);
        } else {
          staged_a[t] = load_a(z, m0 + t % (BM / 4u) * 4u, k0 + t / (BM / 4u));
        }
      }
      for (var t = thread; t < B_TILE; t += WX * WY) {
        if (B_ALONG_K) {
          staged_b[t / QUADS * B_ROW + t % QUADS] = load_b(z, k0 + t % QUADS * 4u, n0 + t / QUADS);
        } else {
          staged_b[t] = load_b(z, k0 + t / (BN / 4u), n0 + t % (BN / 4u) * 4u);
        }
      }
      workgroupBarrier();
      for (var quad = 0u; quad < QUADS; quad++) {
        // What lies along k comes in fours; then each step of k takes one number of each four.
        var a: array<vec4f, TM>;
        var b: array<vec4f, TN * 4u>;
        if (A_ALONG_K) {
          // @unroll
          for (var i = 0u; i < TM; i++) {
            a[i] = staged_a[(row + i) * QUADS + quad];
          }
        }
        if (B_ALONG_K) {
          // @unroll
          for (var j = 0u; j < TN * 4u; j++) {
            b[j] = staged_b[((j / 4u * WX + local.x) * 4u + j % 4u) * B_ROW + quad];
          }
        }
        // @unroll
        for (var kk = 0u; kk < 4u; kk++) {
          let k = quad * 4u + kk;
          if (A_ALONG_K) {
            // @unroll
            for (var i = 0u; i < TM; i++) {
              rows[i] = a[i][kk];
            }
          } else {
            // @unroll
            for (var i = 0u; i < TM / 4u; i++) {
              let four = staged_a[k * (BM / 4u) + row / 4u + i];
              rows[i * 4u] = four.x;
              rows[i * 4u + 1u] = four.y;
              rows[i * 4u + 2u] = four.z;
              rows[i * 4u + 3u] = four.w;
            }
          }
          // @unroll
          for (var j = 0u; j < TN; j++) {
            if (B_ALONG_K) {
              columns[j] = vec4f(b[j * 4u][kk], b[j * 4u + 1u][kk], b[j * 4u + 2u][kk], b[j * 4u + 3u][kk]);
            } else {
              columns[j] = staged_b[k * (BN / 4u) + j * WX + local.x];
            }
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
  } else {
    for (var k = size.z; k < size.w; k++) {
      // @unroll
      for (var i = 0u; i < TM; i++) {
        rows[i] = a_at(z, m0 + row + i, k);
      }
      // @unroll
      for (var j = 0u; j < TN; j++) {
        let n = n0 + (j * WX + local.x) * 4u;
        columns[j] = vec4f(b_at(z, k, n), b_at(z, k, n + 1u), b_at(z, k, n + 2u), b_at(z, k, n + 3u));
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
  // @unroll
  for (var i = 0u; i < TM; i++) {
    // @unroll
    for (var j = 0u; j < TN; j++) {
      let n = n0 + (j * WX + local.x) * 4u;
      if (m0 + row + i < size.x && n < size.y) {
        store(z, m0 + row + i, n, c[i * TN + j]);
      }
    }
  }
}
