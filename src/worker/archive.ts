/** Runs as zip archives, and weights that a run begins with. */
import { readSafetensors } from '../data/formats/safetensors.ts';
import { readZip } from '../data/formats/zip.ts';
import type { StateDict } from '../engine/parameters.ts';
import type { ArchiveFile } from './api.ts';

/** Far more than a run has, and far less than what hurts. */
const LIMITS = { files: 16, bytes: 2 ** 30 };

/** @throws Failure for what is no archive, is damaged or too large, or has weights that cannot be read */
export async function unpackRun(name: string, bytes: Uint8Array): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const file of readZip(name, bytes, LIMITS)) {
    const content = new Uint8Array(await file.read());
    if (file.path.endsWith('.safetensors')) readSafetensors(`${name}, ${file.path}`, content);
    files.push({ path: file.path, bytes: content });
  }
  return files;
}

/** Weights that were brought, for the run that is to begin with them. The last ones only: they are large. */
export class BroughtWeights {
  private brought: { id: string; weights: StateDict } | undefined;

  /** @throws Failure `bad-file` */
  bring(id: string, bytes: Uint8Array): void {
    this.brought = { id, weights: readSafetensors('weights.safetensors', bytes).tensors };
  }

  find(id: string): StateDict | undefined {
    return this.brought?.id === id ? this.brought.weights : undefined;
  }
}
