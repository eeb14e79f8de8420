/** What a GPU does while the page trains: the shares of its time that steps, tests and all else take, by its own timestamps. */
import type { Page, Worker } from '@playwright/test';

/** A compute pass: its label, and when it began and ended, in milliseconds. */
type Pass = readonly [label: string, began: number, ended: number];

/** Per cent of the time, by label, and of all passes together. */
export interface Coverage {
  steps: number;
  tests: number;
  all: number;
}

/** The labels that the engine gives the passes of training steps and of tests. */
const LABELS = { steps: 'training steps', tests: 'evaluation' };

/** While a page trains, for so long; undefined if its device has no timestamps. */
export async function coverageOf(page: Page, ms: number): Promise<Coverage | undefined> {
  const worker = page.workers().find((one) => /\/main-[^/]*\.js$/.test(one.url()));
  if (!worker) throw new Error('expected the training worker, found none');
  await startRecording(worker);
  await page.waitForTimeout(ms);
  const passes = await recorded(worker);
  if (passes.length === 0) return undefined;
  const whole = Math.max(...passes.map((pass) => pass[2])) - Math.min(...passes.map((pass) => pass[1]));
  const share = (label?: string) => {
    const counted = passes.filter((pass) => label === undefined || pass[0] === label);
    return (100 * counted.reduce((sum, [, began, ended]) => sum + ended - began, 0)) / whole;
  };
  return { steps: share(LABELS.steps), tests: share(LABELS.tests), all: share() };
}

/** From now on, each compute pass of the worker writes timestamps, as many as one query set has. */
const startRecording = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const MOST = 4096;
    const labels: string[] = [];
    let made: { device: GPUDevice; querySet: GPUQuerySet; times: GPUBuffer } | undefined;
    const { createCommandEncoder } = GPUDevice.prototype;
    GPUDevice.prototype.createCommandEncoder = function (this: GPUDevice, ...words) {
      const encoder = createCommandEncoder.apply(this, words);
      if (!this.features.has('timestamp-query')) return encoder;
      const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
      const { querySet, times } = (made ??= {
        device: this,
        querySet: this.createQuerySet({ type: 'timestamp', count: MOST }),
        times: this.createBuffer({ size: 8 * MOST, usage }),
      });
      const first = 2 * labels.length;
      encoder.beginComputePass = (descriptor = {}) => {
        const at = 2 * labels.length;
        const timestampWrites = { querySet, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 };
        const isTimed = at < MOST && !descriptor.timestampWrites;
        if (isTimed) labels.push(descriptor.label ?? '');
        const own = isTimed ? { ...descriptor, timestampWrites } : descriptor;
        return GPUCommandEncoder.prototype.beginComputePass.call(encoder, own);
      };
      encoder.finish = (...end) => {
        // Timestamps are resolved to multiples of 256 bytes.
        const from = first - (first % 32);
        const count = 2 * labels.length - from;
        if (2 * labels.length > first) encoder.resolveQuerySet(querySet, from, count, times, 8 * from);
        return GPUCommandEncoder.prototype.finish.apply(encoder, end);
      };
      return encoder;
    };
    const recordedPasses = async () => {
      GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
      if (!made) return [];
      const { device, times } = made;
      const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
      const read = device.createBuffer({ size: times.size, usage });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(times, 0, read, 0, times.size);
      device.queue.submit([encoder.finish()]);
      await read.mapAsync(GPUMapMode.READ);
      const all = new BigUint64Array(read.getMappedRange());
      const ms = (i: number) => Number(all[i] - all[0]) / 1e6;
      return labels.map((label, i) => [label, ms(2 * i), ms(2 * i + 1)]);
    };
    Object.assign(globalThis, { recordedPasses });
  });

const recorded = (worker: Worker): Promise<Pass[]> =>
  worker.evaluate(() =>
    (globalThis as unknown as { recordedPasses: () => Promise<Pass[]> }).recordedPasses(),
  );
