import { Failure } from '../base/result.ts';
import type { Generations } from './checkpoints.ts';
import type { FileStore } from './file-store.ts';
import { unpackWithoutArrays } from './packed.ts';

/** A checkpoint's file and the one before it, FILE.previous, in the browser and on the command line. */
export class CheckpointFile implements Generations {
  /** FILE was written by this process and is therefore intact; only then may it become FILE.previous. */
  private whole = false;

  /**
   * @param path a file of `store`
   * @param fresh existing files belong to another run: the first one written replaces both
   * @param name the file's, for messages
   * @param previous the path of the one before
   */
  constructor(
    private readonly store: FileStore,
    private readonly path: string,
    private readonly fresh = false,
    readonly name = path,
    private readonly previous = path + PREVIOUS,
  ) {}

  /** Their paths in the store, with their names for messages, the newest first. */
  private get generations(): { path: string; name: string }[] {
    const { path, name, previous } = this;
    return [
      { path, name },
      { path: previous, name: name + PREVIOUS },
    ];
  }

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const previous = this.previous.split('/').at(-1);
      await this.store.write(this.path, bytes, this.whole ? previous : undefined);
      if (this.fresh && !this.whole) await this.store.remove(this.previous);
      this.whole = true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const message = `the checkpoint could not be written: ${error.message}`;
      throw new Failure(error.code, message, error.advice, { cause: error });
    }
  }

  async read(): Promise<{ name: string; bytes: Uint8Array }[]> {
    const found = [];
    for (const { path, name } of this.generations) {
      const bytes = await this.store.read(path);
      if (bytes) found.push({ name, bytes });
    }
    return found;
  }

  /** The newest one without its arrays, which are not read; null if none can be read, undefined if there is none. */
  async peek(): Promise<unknown> {
    let found: unknown;
    for (const { path } of this.generations) {
      if ((await this.store.size(path)) === 0) continue;
      const part = (start: number, end: number) => this.store.read(path, start, end);
      found = await unpackWithoutArrays(this.name, part).catch(() => null);
      if (found !== null) break;
    }
    return found;
  }

  async remove(): Promise<void> {
    for (const { path } of this.generations) await this.store.remove(path);
  }
}

/** What the name of the one before ends in. */
export const PREVIOUS = '.previous';
