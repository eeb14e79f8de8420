// Transforms of 16 to 256 points in workgroup memory: LANES lines of A * B values in parallel, in place.
//
// B transforms of A points, over every B-th value, are multiplied by roots of unity and followed by A transforms of B
// points. Every thread writes its results where it read its inputs, so frequency k + A * h ends up at k * B + h.
// @import conv/fft/points

const A = 16u;
const B = 4u;
const A_4 = false;
const A_8 = false;
const B_4 = true;
const B_8 = false;
const LANES = 16u;
const PADDING = 1u; // unused lanes, which avoid conflicts of memory banks
const THREADS = 128u;

const LENGTH = A * B;
const ACROSS = LANES + PADDING;

@group(0) @binding(5) var<storage, read> roots: array<vec2f>; // e^(-2 pi i n / LENGTH)

var<workgroup> lines: array<vec2f, LENGTH * ACROSS>;

fn dft_a(x: array<vec2f, A>) -> array<vec2f, A> {
  if (A_4) {
    return dft4(x[0], x[1], x[2], x[3]);
  } else if (A_8) {
    return dft8(x);
  } else {
    return dft16(x);
  }
}

fn dft_b(x: array<vec2f, B>) -> array<vec2f, B> {
  if (B_4) {
    return dft4(x[0], x[1], x[2], x[3]);
  } else if (B_8) {
    return dft8(x);
  } else {
    return dft16(x);
  }
}

fn transform_lines(thread: u32) {
  workgroupBarrier();
  for (var task = thread; task < LANES * B; task += THREADS) {
    let n = task / LANES;
    let at = n * ACROSS + task % LANES;
    var x = array<vec2f, A>();
    // @unroll
    for (var i = 0u; i < A; i++) {
      x[i] = lines[at + i * B * ACROSS];
    }
    x = dft_a(x);
    // @unroll
    for (var k = 0u; k < A; k++) {
      lines[at + k * B * ACROSS] = times(x[k], roots[k * n]);
    }
  }
  workgroupBarrier();
  for (var task = thread; task < LANES * A; task += THREADS) {
    let at = task / LANES * B * ACROSS + task % LANES;
    var x = array<vec2f, B>();
    // @unroll
    for (var i = 0u; i < B; i++) {
      x[i] = lines[at + i * ACROSS];
    }
    x = dft_b(x);
    // @unroll
    for (var h = 0u; h < B; h++) {
      lines[at + h * ACROSS] = x[h];
    }
  }
  workgroupBarrier();
}

fn transformed(frequency: u32, lane: u32) -> vec2f {
  return lines[(frequency % A * B + frequency / A) * ACROSS + lane];
}
