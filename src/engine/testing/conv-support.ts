/**
 * What each convolution algorithm supports, independent of the algorithms: their tests fail if one refuses what it
 * should support, or accepts what it should refuse. This holds for the problems of tests, which are small compared to
 * workspaces and limits; separate tests cover those limits.
 */
import type { ConvProblem, Direction } from '../ops/conv/problem.ts';

/** Problems that an algorithm refuses, and what its message must contain. */
interface Exclusion {
  excludes(problem: ConvProblem, direction: Direction): boolean;
  reason: RegExp;
}

const strided: Exclusion = {
  excludes: ({ stride }) => stride.some((step) => step !== 1),
  reason: /requires stride 1/,
};
const dilated: Exclusion = {
  excludes: ({ dilation }) => dilation.some((gap) => gap !== 1),
  reason: /does not support dilation/,
};
const padded: Exclusion = {
  excludes: ({ padding }) => Object.values(padding).some((size) => size !== 0),
  reason: /requires stride 1 and no padding/,
};
const filtersOtherThan = (size: number): Exclusion => ({
  excludes: ({ R, S }) => R !== size || S !== size,
  reason: new RegExp(`requires ${size}x${size} filters`),
});
/** In dgrad, the parts of a filter that the phases of a stride meet. */
const winogradFilters = (size: number): Exclusion => ({
  excludes: ({ R, S, stride }, direction) => {
    const [down, right] = direction === 'dgrad' ? stride : [1, 1];
    return Math.ceil(R / down) !== size || Math.ceil(S / right) !== size;
  },
  reason: new RegExp(`requires ${size}x${size} filters`),
});
const stridedButDgrad: Exclusion = {
  excludes: (problem, direction) => direction !== 'dgrad' && strided.excludes(problem, direction),
  reason: strided.reason,
};
/** In dgrad there is a product for each phase of the stride. */
const manyPhases: Exclusion = {
  excludes: ({ groups, stride }, direction) =>
    direction === 'dgrad' && groups * stride[0] * stride[1] > 65535,
  reason: /supports at most 65535 products per dispatch/,
};
const filtersFrom = (size: number): Exclusion => ({
  excludes: ({ R, S }) => Math.max(R, S) >= size,
  reason: new RegExp(`requires filters smaller than ${size}x${size}`),
});
/** Images with the wider padding, which serves both ends. */
const imagesAbove = (size: number): Exclusion => ({
  excludes: ({ H, W, P, Q, padding: { top, bottom, left, right } }) =>
    Math.max(H + Math.max(top, bottom), W + Math.max(left, right), P, Q) > size,
  reason: new RegExp(`supports transforms up to ${size}x${size}`),
});

/** By the algorithm's name; the first exclusion that applies gives the reason. */
export const EXPECTED_SUPPORT: Readonly<Record<string, readonly Exclusion[]>> = {
  direct: [],
  im2col_gemm: [],
  implicit_gemm: [manyPhases],
  gemm_1x1: [filtersOtherThan(1), { ...strided, reason: padded.reason }, padded],
  winograd_f2x3: [winogradFilters(3), stridedButDgrad, dilated],
  winograd_f4x3: [winogradFilters(3), stridedButDgrad, dilated],
  winograd_f2x5: [winogradFilters(5), stridedButDgrad, dilated],
  winograd_f4x5: [winogradFilters(5), stridedButDgrad, dilated],
  fft: [strided, dilated, imagesAbove(256)],
  fft_tiling: [strided, dilated, filtersFrom(32)],
};

/** What the algorithm's message must contain if it should refuse the problem; undefined if it should compute it. */
export function expectedReason(
  algorithm: string,
  problem: ConvProblem,
  direction: Direction,
): RegExp | undefined {
  return EXPECTED_SUPPORT[algorithm].find(({ excludes }) => excludes(problem, direction))?.reason;
}
