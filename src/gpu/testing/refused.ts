/** For tests. */
import type { Device } from '../device.ts';

/** Submits a command that WebGPU refuses, outside of any error scope, as a bug in wgrad or in a driver would. */
export function refuseOneCommand({ raw, adapter }: Device): void {
  if (adapter.cpu) {
    // The CPU engine checks nothing.
    const error = { message: 'a copy beyond the end of a buffer' };
    raw.dispatchEvent(Object.assign(new Event('uncapturederror'), { error }));
    return;
  }
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const [from, to] = [16, 16].map((size) => raw.createBuffer({ size, usage }));
  const encoder = raw.createCommandEncoder();
  encoder.copyBufferToBuffer(from, 0, to, 0, 32);
  raw.queue.submit([encoder.finish()]);
}
