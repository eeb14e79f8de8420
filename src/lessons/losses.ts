/** The losses of a run in a few kilobytes: enough to name the first step at which another run differs. */
import { base64, fromBase64 } from '../base/base64.ts';
import { hexOf, sha256 } from '../base/sha256.ts';

/** Losses in a file at most. */
export const MAX_LOSSES = 1000;

export interface SubmittedLosses {
  /** The loss of every so many steps is there, and that of the last step. */
  every: number;
  /** Their 32-bit floats, little-endian, in base64. */
  values: string;
  /** SHA-256, in hexadecimal, of the 32-bit floats of all steps. */
  checksum: string;
}

/** Between the losses of a run of so many steps that go into a file. */
export const everyOf = (steps: number): number => Math.max(1, Math.ceil(steps / MAX_LOSSES));

/** How many losses there are of a run. */
export const countOf = (steps: number, every: number): number => Math.ceil(steps / every);

/** The step of a loss, by its index. */
export const stepOf = (index: number, every: number, steps: number): number =>
  Math.min((index + 1) * every, steps);

/** Little-endian on every machine. What is not a number has the same bits on all of them. */
function bytesOf(losses: Float32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * losses.length));
  losses.forEach((loss, i) => {
    if (Number.isNaN(loss)) view.setUint32(4 * i, 0x7fc00000, true);
    else view.setFloat32(4 * i, loss, true);
  });
  return new Uint8Array(view.buffer);
}

export const lossesChecksum = async (losses: Float32Array): Promise<string> =>
  hexOf(await sha256(bytesOf(losses)));

/** @param losses of all steps, in order */
export async function packLosses(losses: Float32Array): Promise<SubmittedLosses> {
  const { length: steps } = losses;
  const every = everyOf(steps);
  const kept = Float32Array.from(
    { length: countOf(steps, every) },
    (_, i) => losses[stepOf(i, every, steps) - 1],
  );
  return { every, values: base64(bytesOf(kept)), checksum: await lossesChecksum(losses) };
}

/** The losses in a file; undefined if they are not in base64. */
export function unpackLosses({ values }: Pick<SubmittedLosses, 'values'>): Float32Array | undefined {
  const bytes = fromBase64(values);
  if (!bytes || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}
