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

const SUBGROUP = 32u; // threads
const FRAGMENT = 16u;
const SUB_M = 32u; // rows and columns of C that a subgroup computes
const SUB_N = 32u;
const FRAGMENTS_M = SUB_M / FRAGMENT;
const FRAGMENTS_N = SUB_N / FRAGMENT;
const STEPS = BK / FRAGMENT;
const FLOATS = select(4u, 2u, HALVES); // in a Staged
const WRITTEN = FRAGMENT * FRAGMENT / FLOATS; // of staged_a, by each subgroup

// The first row and column of a thread's subgroup, within the tile.
fn sub_m(thread: u32) -> u32 {
  return thread / SUBGROUP / (BN / SUB_N) * SUB_M;
}

fn sub_n(thread: u32) -> u32 {
  return thread / SUBGROUP % (BN / SUB_N) * SUB_N;
}

fn halves(four: vec4f) -> Staged {
  if (HALVES) {
    return bitcast<Staged>(vec4<f16>(four));
  } else {
    return Staged();
  }
}

// The fragment of staged A from row m and step k on.
fn load_left(thread: u32, m: u32, k: u32) -> Left {
  if (EMULATED) {
    let row = m + thread % SUBGROUP / 2u;
    var left: Left;
    for (var i = 0u; i < FRAGMENT; i++) {
      if (A_ALONG_K) {
        left[i] = staged_a[row * A_LINE + (k + i) / 4u][(k + i) % 4u];
      } else {
        left[i] = staged_a[(k + i) * A_LINE + row / 4u][row % 4u];
      }
    }
    return left;
  } else if (A_ALONG_K) {
    return subgroupMatrixLoad<Left, row_major>(&staged_a, m * A_LINE + k / 4u, A_LINE);
  } else {
    return subgroupMatrixLoad<Left, col_major>(&staged_a, k * A_LINE + m / 4u, A_LINE);
  }
}

// The fragment of staged B from column n and step k on.
fn load_right(thread: u32, n: u32, k: u32) -> Right {
  if (EMULATED) {
    let column = n + thread % 2u * 8u;
    var right: Right;
    for (var i = 0u; i < FRAGMENT; i++) {
      for (var half = 0u; half < 2u; half++) {
        let first = column + half * 4u;
        if (B_ALONG_K) {
          for (var j = 0u; j < 4u; j++) {
            right[2u * i + half][j] = staged_b[(first + j) * B_LINE + (k + i) / 4u][(k + i) % 4u];
          }
        } else {
          right[2u * i + half] = staged_b[(k + i) * B_LINE + first / 4u];
        }
      }
    }
    return right;
  } else if (B_ALONG_K) {
    return subgroupMatrixLoad<Right, col_major>(&staged_b, n * B_LINE + k / 4u, B_LINE);
  } else {
    return subgroupMatrixLoad<Right, row_major>(&staged_b, k * B_LINE + n / 4u, B_LINE);
  }
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

// Writes a fragment of sums over staged_a; every subgroup has a part of its own.
fn write_fragment(thread: u32, sum: Sum) {
  let part = thread / SUBGROUP * WRITTEN;
  if (EMULATED) {
    let four = part + thread % SUBGROUP * 2u;
    staged_a[four] = sum[0];
    staged_a[four + 1u] = sum[1];
  } else {
    subgroupMatrixStore<row_major>(&staged_a, part, sum, FRAGMENT / FLOATS);
  }
}

// Four values of what the thread's subgroup wrote, by rows.
fn fragment_four(thread: u32, four: u32) -> vec4f {
  let at = thread / SUBGROUP * WRITTEN + four * 4u / FLOATS;
  if (HALVES) {
    return vec4f(bitcast<vec2f>(staged_a[at]), bitcast<vec2f>(staged_a[at + 1u]));
  } else {
    return staged_a[at];
  }
}
