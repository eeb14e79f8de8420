/** The texts of the lessons in writing kernels. */
import * as format from '../../format.ts';
import { formsOf } from '../forms.ts';

const { many } = formsOf('en');

/** A lesson’s own texts. */
interface LessonTexts {
  title: string;
  /** Paragraphs. */
  explanation: readonly string[];
  formula: string;
  /** From a nudge to nearly the answer. */
  hints: readonly string[];
}

const lessons: Readonly<Record<string, LessonTexts>> = {
  loops: {
    title: 'Seven loops',
    explanation: [
      'A convolution slides each of K filters over N images. At every place it multiplies the filter with the part of the image beneath it, and adds everything up. Written down, these are seven loops.',
      'Here one invocation does all the work, like a program in C. It is slow: a GPU could run thousands of invocations at once, which the next lessons do.',
      'The padding around an image counts as zeros. Those zeros are not in memory, so your code must skip them.',
    ],
    formula:
      'y[n, k, p, q] = Σc Σr Σs  x[n, c, p · STRIDE + r − PADDING, q · STRIDE + s − PADDING] · w[k, c, r, s]',
    hints: [
      'The other three loops run over c below C, r below R, and s below S. Inside of them, add one product to sum.',
      'A value of x lies at ((n * C + c) * H + row) * W + column, with row = p * STRIDE + r - PADDING. A weight lies at ((k * C + c) * R + r) * S + s.',
      'Numbers of type u32 have no sign: 0 - 1 becomes about four billion. So “if (row < H && column < W)” skips the padding on all four sides.',
    ],
  },
  product: {
    title: 'A matrix product',
    explanation: [
      'A GPU runs thousands of invocations at once. Here each of them computes one value of the product: it walks along a row of a and down a column of b.',
      'Neighbouring invocations should read neighbouring values, which memory can then deliver together. That is why id.x, in which neighbours differ, is the column: they read b side by side.',
      'Invocations come in workgroups of fixed size. If the matrix is not a multiple of that size, the last workgroups stick out. An invocation outside of c must not write.',
    ],
    formula: 'c[row, column] = Σk  a[row, k] · b[k, column]',
    hints: [
      'First, let invocations outside of c return at once. They have a row of M or more, or a column of N or more.',
      'Add up in a variable: “var sum = 0.0;”, then a loop over k below K. Write to c once, at the end.',
      'Row by row means that a[row, k] lies at a[row * K + k], and b[k, column] at b[k * N + column].',
    ],
  },
  tiles: {
    title: 'Tiles in workgroup memory',
    explanation: [
      'In the last lesson, every value of a was read N times from far away. A workgroup has a small memory of its own, which is much faster.',
      'So the workgroup loads a tile of a and a tile of b together, each value once. Then all of its invocations compute with what is near. With tiles of 16\u00a0×\u00a016, each value is read 16 times less often from far away.',
      'Between loading and computing, everybody has to wait for everybody else: that is workgroupBarrier(). All invocations must reach it, also those outside of c.',
    ],
    formula: 'c = Σ over steps of k:  tile of a · tile of b',
    hints: [
      'Value i of tile_a is in row i / DEPTH and column i % DEPTH of the tile. In a, that is row group.y * TILE_Y + i / DEPTH, and column start + i % DEPTH.',
      'There may be more values than invocations. A loop serves any sizes: “for (var i = index; i < TILE_Y * DEPTH; i += TILE_X * TILE_Y)”.',
      'You need two barriers: one after loading, and one at the end of a step. Without the second, a fast invocation loads the next tile while a slow one still reads this one.',
    ],
  },
  im2col: {
    title: 'im2col',
    explanation: [
      'Products of matrices are fast, so turn a convolution into one. im2col copies all values that an output reads into one column of a matrix. Then a single product of the filters with that matrix is the whole convolution.',
      'In this lesson you make the matrix. The price is memory: with filters of 3\u00a0×\u00a03, most values of the image are copied nine times.',
    ],
    formula:
      'columns[n, (c, r, s), (p, q)] = x[n, c, p · STRIDE + r − PADDING, q · STRIDE + s − PADDING], or 0 in the padding',
    hints: [
      'The row of the matrix counts c, r and s like a clock counts hours, minutes and seconds: s is weight % S, and c is weight / (R * S).',
      'r is weight / S % R. In the same way, p is pixel / Q and q is pixel % Q.',
      'Use “var value = 0.0;”, and set it only if the row and the column are inside of the image.',
    ],
  },
  implicit_gemm: {
    title: 'Implicit GEMM',
    explanation: [
      'Writing the columns of im2col to memory and reading them again costs time. Why write them at all? The product needs only a tile of them at a time.',
      'So compute each value of that tile where the product loads it. Many libraries have such a kernel, and so has wgrad. GEMM is short for general matrix multiplication.',
    ],
    formula: 'y[n, k, (p, q)] = Σ(c, r, s)  w[k, (c, r, s)] · columns[n, (c, r, s), (p, q)]',
    hints: [
      'Write column_value first: it is what im2col computed, and 0 where weight or pixel is too large.',
      'Loading and the two barriers are those of the lesson on tiles: w takes the place of a, with K rows and CRS columns.',
      'A value of the other tile is column_value(n, start + i / TILE_X, group.x * TILE_X + i % TILE_X).',
    ],
  },
  winograd: {
    title: 'Winograd, by one tile',
    explanation: [
      'A tile of 2\u00a0×\u00a02 outputs of a 3\u00a0×\u00a03 filter takes 36 multiplications for each channel. Winograd’s trick needs 16, if those of the transforms are not counted: transform the 4\u00a0×\u00a04 inputs and the filter by adding and subtracting, multiply number by number, and transform back.',
      'Each transform multiplies a matrix from the left and its transpose from the right. From the left it adds whole rows. From the right it does the same inside of each row.',
      'Libraries transform each filter and each tile of the image once, and reuse the results. Your kernel transforms each filter for every tile, and each tile for every filter, so it loses much of what it gains. The price of Winograd is also that rounding errors become larger.',
    ],
    formula: 'Y = Aᵀ [ Σc (G g Gᵀ) ⊙ (Bᵀ d B) ] A',
    hints: [
      'The columns of B name the sums: transform_input is vec4f(d.x - d.z, d.y + d.z, d.z - d.y, d.y - d.w). Do the same for the filter and the output.',
      'The four rows of the input follow the same pattern: d0 - d2, d1 + d2, d2 - d1, d1 - d3. Those of the filter: g0, half of g0 + g1 + g2, half of g0 - g1 + g2, and g2.',
      'Back again: transform_output of m0 + m1 + m2 gives the upper two outputs, and of m1 - m2 - m3 the lower two.',
    ],
  },
};

const english = {
  lessons,
  list: 'Lessons',
  done: 'done',
  number: (at: number, all: number) => `Lesson ${at} of ${all}`,
  task: 'Your kernel',
  taskIs:
    'Complete it, then select Run. It is tested on awkward sizes, then timed beside wgrad’s own kernel. Nothing runs before you select Run. It is not handed in; to show it to somebody, save it as a file.',
  editor: 'Your kernel, in WGSL',
  otherRuns: (title: string) => `The kernel of “${title}” is running. Wait until it finishes, or stop it.`,
  stop: 'Stop',
  keys: 'Tab indents; Escape, then Tab, leaves the editor. Your code stays in this browser.',
  save: 'Save as file',
  open: 'Open file…',
  file: 'WGSL file',
  tooLong: (most: string) => `The file is longer than ${most}, which no kernel of a lesson is.`,
  reset: 'Start over',
  isNew: 'Your kernel is what the lesson starts with.',
  hint: (at: number, all: number) => `Show hint ${at} of ${all}`,
  noMoreHints: 'You have seen all hints.',
  hints: 'Hints',
  solution: 'Show a solution',
  solutionIs: 'One solution',
  take: 'Put it in the editor',
  taken: 'It is in the editor.',
  next: 'Next lesson',
  result: 'Result',
  noResult: 'Not run yet.',
  old: 'You have changed your kernel since then.',
  engine: { cpu: 'CPU, one thread', gpu: 'GPU' },
  progress: (engine: string, passed: number, all: number) =>
    passed < all
      ? `Testing on the ${engine}: ${passed} of ${all} passed.`
      : `All tests passed on the ${engine}. Timing…`,
  starting: 'Starting…',
  stopped: 'You stopped it.',
  silent: (seconds: number) =>
    `Stopped: it said nothing for ${many(seconds, { one: 'second', other: 'seconds' })}. Most likely it does far too much work, or never ends.`,
  brokenTitle: 'This kernel cannot run',
  failedTitle: 'It could not be tested',
  place: (line: number, column: number) =>
    column > 0 ? `Line ${line}, column ${column}: ` : `Line ${line}: `,
  race: 'Two invocations use the same value of workgroup memory, one of them writes it, and no barrier is between them.',
  wrongTitle: (engine: string) => `A value is wrong, on the ${engine}`,
  wrong: (index: string, at: number, expected: string, found: string | undefined) =>
    `At ${index}, ${found === undefined ? `nothing was written. Expected ${expected}` : `expected ${expected}, found ${found}`}. It is number ${format.count(at)} in memory, counted from 0.`,
  sizes: (sizes: string) => `The sizes of this test: ${sizes}.`,
  howMany: (wrong: number, of: number) =>
    wrong === of
      ? 'All values are wrong.'
      : `${format.count(wrong)} of ${format.count(of)} values are wrong. This is the first of them.`,
  passedTitle: 'All tests passed',
  perfect: 'Right and fast enough. Well done!',
  right: 'It is right. Can you make it faster?',
  rates: 'Speed beside wgrad’s own kernel',
  where: 'Where',
  yours: 'Yours',
  own: 'wgrad',
  share: 'Share',
  goal: 'Goal',
  reached: 'reached',
  missed: 'not yet',
  perSecond: 'Rate',
  noGpu: (why: string) => `Not timed on a GPU. ${why}`,
};

export type KernelsTexts = typeof english;

export default english;
