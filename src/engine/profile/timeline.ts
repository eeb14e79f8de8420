/** A profiled step laid out in time. */
import type { KernelTime } from './kernels.ts';
import type { StepProfile } from './step.ts';

export type TimelineRow = 'encode' | 'queue' | 'gpu' | 'read';

export interface TimelineSpan {
  row: TimelineRow;
  name: string;
  /** Milliseconds from the start of the step. */
  start: number;
  ms: number;
  /** Of a kernel: its index in the profile. */
  kernel?: number;
}

/** Spans of one layer and direction that follow one another. */
export const partOf = ({ pass, layer }: Pick<KernelTime, 'pass' | 'layer'>): string =>
  layer === undefined ? pass : `${layer} ${pass}`;

/**
 * A single step: encoding, submitting, waiting for the GPU to start, its kernels end to end, reading back. WebGPU has
 * no common clock for CPU and GPU, so the kernels are placed to end when the GPU reported completion. If their own
 * times add up to more than that, they start right after submission.
 */
export function timelineOf({
  single,
  gpu,
  kernels,
}: Pick<StepProfile, 'single' | 'gpu' | 'kernels'>): TimelineSpan[] {
  const { encodeMs, submitMs, waitMs, readMs } = single;
  const handedOver = encodeMs + submitMs;
  const queueMs = Math.max(0, waitMs - gpu.median);
  const spans: TimelineSpan[] = [
    { row: 'encode', name: 'encode', start: 0, ms: encodeMs },
    { row: 'queue', name: 'submit', start: encodeMs, ms: submitMs },
  ];
  if (queueMs > 0) spans.push({ row: 'queue', name: 'latency', start: handedOver, ms: queueMs });
  let at = handedOver + queueMs;
  kernels.forEach(({ kernel, time }, i) => {
    spans.push({ row: 'gpu', name: kernel, start: at, ms: time.median, kernel: i });
    at += time.median;
  });
  spans.push({ row: 'read', name: 'read back', start: at, ms: readMs });
  return spans;
}
