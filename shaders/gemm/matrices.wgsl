// Fragments of 16 x 16 values, which the threads of a subgroup hold and multiply together: tensor cores, where the adapter
// has subgroup matrices (https://github.com/gpuweb/gpuweb/blob/main/proposals/subgroup-matrix.md). The caller gives their
// types. EMULATED computes the same in plain arithmetic on any adapter, for tests: a thread holds half a row of each
// result, and what it needs for it.
// @import gemm/tile

const EMULATED = true;
alias Left = EmulatedLeft; // subgroup_matrix_left<f16, 16, 16>
alias Right = EmulatedRight; // subgroup_matrix_right<f16, 16, 16>
alias EmulatedLeft = array<f32, FRAGMENT>;
alias EmulatedRight = array<vec4f, 2u * FRAGMENT>;
alias EmulatedSum = array<vec4f, 2>;

const HALVES = false; // whether tiles are staged in 16 bits
alias Staged = vec4f; // a vector as it is staged: vec2u if HALVES, vec4u if WIDE

const SUBGROUP = 32u; // threads
const FRAGMENT = 16u;
const SUB_M = 32u; // rows and columns of C that a subgroup computes
const SUB_N = 32u;
const FRAGMENTS_M = SUB_M / FRAGMENT;
const FRAGMENTS_N = SUB_N / FRAGMENT;
const STEPS = BK / FRAGMENT;
const BANKS = 32u / FLOATS; // vectors that memory takes at once
const AT_ONCE = 1u; // neighbours in a row of fragments whose results are written together
const FLOATS = select(4u, 2u, HALVES && !WIDE); // in a Staged
const WRITTEN_ROW = AT_ONCE * FRAGMENT; // values
const WRITTEN_FOURS = WRITTEN_ROW / 4u;
const WRITTEN = FRAGMENT * WRITTEN_ROW / FLOATS; // by each subgroup

// A tile is staged in parts: the rows of A, or columns of B, that a subgroup multiplies. With a part's array to itself, all
// places of fragments are constants, and compilers need not check them at every step. A part consists of lines: rows or
// columns if those lie along k, else steps of k. Unused vectors avoid conflicts of memory banks.
const LEFT_VECTORS = select(SUB_M / VECTOR, VECTORS, A_ALONG_K);
const RIGHT_VECTORS = select(SUB_N / VECTOR, VECTORS, B_ALONG_K);
const LEFT_LINE = LEFT_VECTORS + 8u / VECTOR;
const RIGHT_LINE = RIGHT_VECTORS + 8u / VECTOR;
const LEFT_PARTS = BM / SUB_M;
const RIGHT_PARTS = BN / SUB_N;
// Results are written over the parts of A, each by RIGHT_PARTS subgroups. Threads that copy neighbours to several parts find them in
// different banks.
const LEFT_USED = SUB_M * VECTORS / LEFT_VECTORS * LEFT_LINE;
const RIGHT_USED = SUB_N * VECTORS / RIGHT_VECTORS * RIGHT_LINE;
const LEFT_PART = max(LEFT_USED + (BANKS + LEFT_VECTORS - LEFT_USED % BANKS) % BANKS, RIGHT_PARTS * WRITTEN);
const RIGHT_PART = RIGHT_USED + (BANKS + RIGHT_VECTORS - RIGHT_USED % BANKS) % BANKS;

var<workgroup> staged_left: array<array<Staged, LEFT_PART>, LEFT_PARTS>;
var<workgroup> staged_right: array<array<Staged, RIGHT_PART>, RIGHT_PARTS>;

// The parts that a thread's subgroup multiplies.
fn left_part_of(thread: u32) -> u32 {
  return thread / SUBGROUP / RIGHT_PARTS;
}

fn right_part_of(thread: u32) -> u32 {
  return thread / SUBGROUP % RIGHT_PARTS;
}

fn as_staged(loaded: Loaded) -> Staged {
  if (WIDE) {
    return loaded;
  } else if (HALVES) {
    return bitcast<Staged>(vec4<f16>(loaded));
  } else {
    return loaded;
  }
}

// Stages vector `t` of the tile of A, in the order in which the tile's vectors are copied.
fn stage_left(t: u32, loaded: Loaded) {
  if (A_ALONG_K) {
    let row = t / VECTORS;
    staged_left[row / SUB_M][row % SUB_M * LEFT_LINE + t % VECTORS] = as_staged(loaded);
  } else {
    let along = t % (BM / VECTOR);
    staged_left[along / LEFT_VECTORS][t / (BM / VECTOR) * LEFT_LINE + along % LEFT_VECTORS] = as_staged(loaded);
  }
}

// And of B.
fn stage_right(t: u32, loaded: Loaded) {
  if (B_ALONG_K) {
    let column = t / VECTORS;
    staged_right[column / SUB_N][column % SUB_N * RIGHT_LINE + t % VECTORS] = as_staged(loaded);
  } else {
    let along = t % (BN / VECTOR);
    staged_right[along / RIGHT_VECTORS][t / (BN / VECTOR) * RIGHT_LINE + along % RIGHT_VECTORS] = as_staged(loaded);
  }
}

// Value `i` of a vector.
fn value_of(vector: Staged, i: u32) -> f32 {
  if (WIDE) {
    return unpack2x16float(vector[i / 2u])[i % 2u];
  } else {
    return f32(vector[i]);
  }
}

// A value of a line of the thread's part of A, and of B.
fn left_value(thread: u32, line: u32, along: u32) -> f32 {
  return value_of(staged_left[left_part_of(thread)][line * LEFT_LINE + along / VECTOR], along % VECTOR);
}

fn right_value(thread: u32, line: u32, along: u32) -> f32 {
  return value_of(staged_right[right_part_of(thread)][line * RIGHT_LINE + along / VECTOR], along % VECTOR);
}

// What a thread needs of fragment number `part` of its rows of A, at a step of 16.
fn emulated_left(thread: u32, part: u32, step: u32) -> EmulatedLeft {
  let row = part * FRAGMENT + thread % SUBGROUP / 2u;
  var left: EmulatedLeft;
  for (var i = 0u; i < FRAGMENT; i++) {
    let k = step * FRAGMENT + i;
    if (A_ALONG_K) {
      left[i] = left_value(thread, row, k);
    } else {
      left[i] = left_value(thread, k, row);
    }
  }
  return left;
}

// And of its columns of B.
fn emulated_right(thread: u32, part: u32, step: u32) -> EmulatedRight {
  let column = part * FRAGMENT + thread % 2u * 8u;
  var right: EmulatedRight;
  for (var i = 0u; i < FRAGMENT; i++) {
    let k = step * FRAGMENT + i;
    for (var half = 0u; half < 2u; half++) {
      for (var j = 0u; j < 4u; j++) {
        let at = column + half * 4u + j;
        if (B_ALONG_K) {
          right[2u * i + half][j] = right_value(thread, at, k);
        } else {
          right[2u * i + half][j] = right_value(thread, k, at);
        }
      }
    }
  }
  return right;
}

fn multiply_add(left: Left, right: Right, sum: Sum) -> Sum {
  if (EMULATED) {
    var result = sum;
    for (var i = 0u; i < FRAGMENT; i++) {
      result[0] += left[i] * right[2u * i];
      result[1] += left[i] * right[2u * i + 1u];
    }
    return result;
  } else {
    return subgroupMatrixMultiplyAccumulate(left, right, sum);
  }
}

// Writes a fragment of sums: number j of those that the subgroup writes side by side.
fn write_fragment(thread: u32, j: u32, sum: Sum) {
  let part = left_part_of(thread);
  let first = right_part_of(thread) * WRITTEN + j * FRAGMENT / FLOATS;
  if (EMULATED) {
    let four = first + thread % SUBGROUP / 2u * WRITTEN_FOURS + thread % 2u * 2u;
    staged_left[part][four] = bitcast<Staged>(sum[0]);
    staged_left[part][four + 1u] = bitcast<Staged>(sum[1]);
  } else {
    subgroupMatrixStore<row_major>(&staged_left[part], first, sum, WRITTEN_ROW / FLOATS);
  }
}

// Four values of what the thread's subgroup wrote, by rows.
fn written_four(thread: u32, four: u32) -> vec4f {
  let part = left_part_of(thread);
  let at = right_part_of(thread) * WRITTEN + four * 4u / FLOATS;
  if (WIDE) {
    return bitcast<vec4f>(staged_left[part][at]);
  } else if (HALVES) {
    return vec4f(bitcast<vec2f>(staged_left[part][at]), bitcast<vec2f>(staged_left[part][at + 1u]));
  } else {
    return staged_left[part][at];
  }
}
