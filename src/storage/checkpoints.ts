/**
 * Checkpoints in two generations: while one is written, or if it turns out to be damaged, the one before is there.
 * Their content is plain data; see packed.ts.
 */
import { Failure, type FailureValue } from '../base/result.ts';
import { pack, unpack } from './packed.ts';

/** Where the two are kept: a file and its predecessor, or two files in turns. */
export interface Generations {
  /** Writes a new one. The last whole one is there all the while. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Those that are there, whole or not, the newer one first. @throws Failure `storage` */
  read(): Promise<{ name: string; bytes: Uint8Array }[]>;
  /** Removes both. */
  remove(): Promise<void>;
}

export interface Found<T> {
  value: T;
  /** The file that it was in. */
  name: string;
  /** Why the newer one was passed over. */
  passedOver: readonly FailureValue[];
}

/**
 * The newest generation that is whole, or undefined if there is none at all.
 * @param check checks what was unpacked. @throws Failure `bad-file`
 * @throws Failure `bad-file` if there are some and none is whole
 */
export async function newestWhole<T>(
  generations: Generations,
  check: (name: string, value: unknown) => T,
): Promise<Found<T> | undefined> {
  const failures: Failure[] = [];
  for (const { name, bytes } of await generations.read()) {
    try {
      const value = check(name, await unpack(name, bytes));
      return { value, name, passedOver: failures.map((failure) => failure.value) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 0) return undefined;
  throw new Failure('bad-file', failures.map(({ message }) => message).join('; '));
}

/** Writes checkpoints one after the other. While one is being written, only the newest of those offered waits. */
export class CheckpointWriter<T> {
  private waiting: { value: T } | undefined;
  private writing: Promise<void> | undefined;

  /**
   * @param onWritten gets each that is safely written
   * @param onFailure gets the reason why one could not be written; the next is tried again
   */
  constructor(
    private readonly generations: Generations,
    private readonly onWritten: (value: T) => void,
    private readonly onFailure: (failure: Failure) => void,
  ) {}

  /** Takes plain data, which must not change any more. */
  offer(value: T): void {
    this.waiting = { value };
    this.writing ??= this.work().finally(() => (this.writing = undefined));
  }

  /** Settles when all that was offered is written, or has failed. */
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
