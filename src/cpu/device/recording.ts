/**
 * What a command buffer does, as data: WebAssembly modules, calls of them, and the memory that they start from. Whatever
 * has WebAssembly can repeat it, without any of wgrad.
 */
import { assert } from '../../base/assert.ts';
import { CpuBuffer } from './buffer.ts';
import type { QueueCommand } from './commands.ts';
import { CpuDevice } from './gpu.ts';

export interface Recording {
  /** Modules of which each imports `env.memory`, and exports `run`: see compile/kernel.ts. */
  kernels: readonly Uint8Array<ArrayBuffer>[];
  /** In order. `args` is what `run` reads at its first argument. */
  calls: readonly { kernel: number; args: readonly number[]; workgroups: number }[];
  /** The memory before the first call, without the zeros at its end. */
  memory: Uint8Array<ArrayBuffer>;
  /** The memory's size, in pages of 64 KiB. */
  pages: number;
  /** Where a call's arguments go, and where it may write what it likes. */
  argsAddress: number;
  scratchAddress: number;
}

/**
 * @param device of one thread, idle
 * @param list a command buffer that consists of dispatches
 */
export function recordingOf(device: object, list: object): Recording {
  assert(device instanceof CpuDevice, 'only the processor’s commands can be recorded');
  const { commands } = list as { commands: readonly QueueCommand[] };
  const { memory } = device;
  const kernels: Uint8Array<ArrayBuffer>[] = [];
  /** By their bytes: layers of one size share a kernel. */
  const numbers = new Map<string, number>();
  let [most, scratch] = [0, 0];
  const calls = commands.map((command) => {
    assert(command.kind === 'dispatch', `a ${command.kind} cannot be recorded`);
    const { code, scratchBytes } = command.pipeline.compiled;
    const key = code.toString();
    const kernel = numbers.get(key) ?? kernels.push(code) - 1;
    numbers.set(key, kernel);
    most = Math.max(most, command.args.byteLength);
    scratch = Math.max(scratch, scratchBytes);
    return { kernel, args: [...command.args], workgroups: command.workgroups };
  });
  const [argsAddress, scratchAddress] = [memory.take(most), memory.take(scratch)];
  assert(argsAddress !== undefined && scratchAddress !== undefined, 'the memory is full');
  const { bytes } = memory;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return {
    kernels,
    calls,
    memory: bytes.slice(0, end),
    pages: bytes.length / 65536,
    argsAddress,
    scratchAddress,
  };
}

/** Where a buffer of the processor lies in its memory. */
export function addressOf(buffer: object): number {
  assert(buffer instanceof CpuBuffer, 'only buffers of the processor have an address');
  return buffer.address;
}
