/** The worker's API for lessons in writing kernels: types only. */
import type { FailureValue } from '../../base/result.ts';
import type { Rate, WrongValue } from '../../kernel-lessons/judge.ts';
import type { LessonEngine } from '../../kernel-lessons/lesson.ts';

declare module '../api.ts' {
  interface Parts {
    kernels: { calls: KernelsApi; events: KernelEvent };
  }
}

export type { LessonEngine, WrongValue };

/** A lesson, without its texts for people. */
export interface LessonSummary {
  name: string;
  /** WGSL to start from, and what passes. */
  skeleton: string;
  solution: string;
  /** Where it is timed, in order, and the share of wgrad's own speed to reach. */
  rates: { engine: LessonEngine; goal: number }[];
}

/** A time beside that of wgrad's own kernel. */
export interface KernelRate extends Rate {
  engine: LessonEngine;
}

/** What became of a kernel. */
export type KernelOutcome =
  /** `noGpu`: why it was not timed on the GPU, if it should have been. */
  | { how: 'passed'; rates: KernelRate[]; noGpu?: FailureValue }
  | { how: 'wrong'; engine: LessonEngine; sizes: Readonly<Record<string, number>>; value: WrongValue };

/** So many of the tests on an engine have passed. */
export interface KernelEvent {
  type: 'kernel';
  engine: LessonEngine;
  passed: number;
  of: number;
}

export interface KernelsApi {
  kernelLessons(): LessonSummary[];
  /**
   * Tests a kernel, and times it if it is right. Its code may never end, so ask a worker that can be ended.
   * A failure `shader` is about the code: the compiler's messages, each on a line that begins with the place
   * ("shaders/yours.wgsl:12:5: …"), or a race or a loop that does not end ("line 12: …").
   */
  tryKernel(lesson: string, text: string): KernelOutcome;
}
