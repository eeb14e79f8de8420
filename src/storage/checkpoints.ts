/**
 * Checkpoints in two generations: while one is written, or if it is damaged, the previous one is available. Their
 * content is plain data; see packed.ts.
 */
import { Failure, type FailureValue } from '../base/result.ts';
import { pack, unpack } from './packed.ts';

/** Storage for the two: a file and its predecessor, or two alternating files. */
export interface Generations {
  /** Writes a new one. The last intact one remains available meanwhile. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The existing ones, intact or not, the newer one first. @throws Failure `storage` */
  read(): Promise<{ name: string; bytes: Uint8Array }[]>;
  /** Deletes both. */
  remove(): Promise<void>;
}

export interface FoundCheckpoint<T> {
  value: T;
  /** The file that it was read from. */
  name: string;
  bytes: Uint8Array;
  /** Why the newer one was skipped. */
  skipped: readonly FailureValue[];
}

/**
 * The newest intact generation, or undefined if there is none at all.
 * @param check checks the unpacked data. @throws Failure `bad-file`
 * @throws Failure `bad-file` if none of the existing ones is intact
 */
export async function newestWhole<T>(
  generations: Generations,
  check: (name: string, value: unknown) => T,
): Promise<FoundCheckpoint<T> | undefined> {
  const failures: Failure[] = [];
  for (const { name, bytes } of await generations.read()) {
    try {
      const value = check(name, await unpack(name, bytes));
      return { value, name, bytes, skipped: failures.map((failure) => failure.value) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 0) return undefined;
  throw new Failure('bad-file', failures.map(({ message }) => message).join('; '));
}

/** Writes checkpoints one after the other. While one is being written, only the newest of those offered is kept. */
export class CheckpointWriter<T> {
  private waiting: { value: T } | undefined;
  private writing: Promise<void> | undefined;

  /**
   * @param onWritten called with each that is safely written
   * @param onFailure called with the reason if one could not be written; the next one is tried again
   */
  constructor(
    private readonly generations: Pick<Generations, 'write'>,
    private readonly onWritten: (value: T) => void,
    private readonly onFailure: (failure: Failure) => void,
  ) {}

  /** Offers plain data, which must not change any more. */
  offer(value: T): void {
    this.waiting = { value };
    this.writing ??= this.work().finally(() => (this.writing = undefined));
  }

  /** Resolves when everything offered is written, or has failed. */
  async done(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async work(): Promise<void> {
    while (this.waiting) {
      const { value } = this.waiting;
      this.waiting = undefined;
      try {
        await this.generations.write(await pack(value));
        this.onWritten(value);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.onFailure(error);
      }
    }
  }
}
