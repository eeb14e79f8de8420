import { readFile, rename, rm } from 'node:fs/promises';
import { Failure } from '../base/result.ts';
import { replaceFile } from '../node/files.ts';
import type { Generations } from '../storage/checkpoints.ts';

/** FILE and FILE.previous. A new checkpoint is written to a temporary file, flushed, and renamed to FILE. */
export class CheckpointFile implements Generations {
  /** FILE was written by this process and is therefore intact; only then may it become FILE.previous. */
  private whole = false;

  /** @param fresh existing files belong to another run: the first one written replaces both */
  constructor(
    readonly path: string,
    private readonly fresh = false,
  ) {}

  private get previous(): string {
    return `${this.path}.previous`;
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await replaceFile(this.path, bytes, async () => {
        if (this.whole) await rename(this.path, this.previous);
      });
      if (this.fresh && !this.whole) await rm(this.previous, { force: true });
      this.whole = true;
    } catch (error) {
      throw new Failure(
        'storage',
        `the checkpoint could not be written: ${(error as Error).message}`,
        undefined,
        { cause: error },
      );
    }
  }

  async read(): Promise<{ name: string; bytes: Uint8Array }[]> {
    const found = [];
    for (const name of [this.path, this.previous]) {
      try {
        found.push({ name, bytes: await readFile(name) });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
          throw new Failure('storage', `${name} could not be read: ${(error as Error).message}`);
        }
      }
    }
    return found;
  }

  async remove(): Promise<void> {
    for (const name of [this.path, this.previous]) await rm(name, { force: true });
  }
}
