// Adds up the parts of each sum, if SPLIT: a thread adds and stores some of those that WK threads share. See gemm/tile.

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
