// The core of every matrix product: C = A B, one tile of C a workgroup, TM x 4 TN numbers of it a thread.
//
// The importing file says what the matrices are, by four functions. `z` is the workgroup's z: it numbers products of
// one dispatch (groups of a convolution, slices of a long sum). Outside of the matrices, loads answer zeros.
//
//   fn extent(z: u32) -> vec4u                    M, N, and the first and the end of the range of k to sum over
//   fn load_a(z: u32, m: u32, k: u32) -> vec4f    A_ALONG_K: A[m, k .. k+3], else A[m .. m+3, k]
//   fn load_b(z: u32, k: u32, n: u32) -> vec4f    B_ALONG_K: B[k .. k+3, n], else B[k, n .. n+3]
//   fn store(z: u32, m: u32, n: u32, c: vec4f)    C[m, n .. n+3]; m < M and n < N, but n + 3 may be beyond
//
// Loads go the way the numbers lie in memory. A range of k that is not the last ends at a multiple of BK.
// STAGED copies the tiles of A and B to workgroup memory first, for GPUs; without it every thread loads for itself,
// which needs no barriers: on SwiftShader that is 1.6 times faster and compiles in a tenth of the time.

const TM = 4u; // rows a thread; a multiple of 4 unless A_ALONG_K
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
  for (var k0 = size.z; k0 < size.w; k0 += BK) {
    if (STAGED) {
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
    }
    for (var quad = 0u; quad < QUADS; quad++) {
      // Four steps of k: a[kk][row], b[kk][column quad].
      var a: array<f32, 4u * TM>;
      var b: array<vec4f, 4u * TN>;
      if (A_ALONG_K) {
        // @unroll
        for (var i = 0u; i < TM; i++) {
          var v: vec4f;
          if (STAGED) { v = staged_a[(row + i) * QUADS + quad]; } else { v = load_a(z, m0 + row + i, k0 + quad * 4u); }
          a[i] = v.x;
          a[TM + i] = v.y;
          a[2u * TM + i] = v.z;
          a[3u * TM + i] = v.w;
        }
      } else {
        // @unroll
        for (var kk = 0u; kk < 4u; kk++) {
          // @unroll
          for (var i = 0u; i < TM / 4u; i++) {
            var v: vec4f;
            if (STAGED) {
              v = staged_a[(quad * 4u + kk) * (BM / 4u) + row / 4u + i];
            } else {
              v = load_a(z, m0 + row + i * 4u, k0 + quad * 4u + kk);
            }
            a[kk * TM + i * 4u] = v.x;
            a[kk * TM + i * 4u + 1u] = v.y;
            a[kk * TM + i * 4u + 2u] = v.z;
            a[kk * TM + i * 4u + 3u] = v.w;
          }
        }
      }
      if (B_ALONG_K) {
        // @unroll
        for (var j = 0u; j < TN; j++) {
          var v: mat4x4f;
          // @unroll
          for (var i = 0u; i < 4u; i++) {
            let column = (j * WX + local.x) * 4u + i;
            if (STAGED) { v[i] = staged_b[column * B_ROW + quad]; } else { v[i] = load_b(z, k0 + quad * 4u, n0 + column); }
          }
          // @unroll
          for (var kk = 0u; kk < 4u; kk++) {
            b[kk * TN + j] = vec4f(v[0u][kk], v[1u][kk], v[2u][kk], v[3u][kk]);
          }
        }
      } else {
        // @unroll
        for (var kk = 0u; kk < 4u; kk++) {
          // @unroll
          for (var j = 0u; j < TN; j++) {
            let column = j * WX + local.x;
            if (STAGED) {
              b[kk * TN + j] = staged_b[(quad * 4u + kk) * (BN / 4u) + column];
            } else {
              b[kk * TN + j] = load_b(z, k0 + quad * 4u + kk, n0 + column * 4u);
            }
          }
        }
      }
      // @unroll
      for (var kk = 0u; kk < 4u; kk++) {
        // @unroll
        for (var i = 0u; i < TM; i++) {
          // @unroll
          for (var j = 0u; j < TN; j++) {
            c[i * TN + j] += a[kk * TM + i] * b[kk * TN + j];
          }
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
