/** How much memory the tensors of a file may take, so that a small file cannot stand for any number of them. */
import { Failure } from '../base/result.ts';

/** Bytes in memory for each byte of a file: a byte becomes a float32 where it is read, and in each layer that has it. */
const PER_BYTE = 16;
/** Of small files, whose layers may share anything. */
const FLOOR = 2 ** 24;

export class Budget {
  private readonly total: number;
  private taken = 0;

  /** @param bytes of the file, with all files beside it, each once */
  constructor(
    private readonly file: string,
    private readonly bytes: number,
  ) {
    this.total = FLOOR + PER_BYTE * bytes;
  }

  /**
   * Counts memory, before it is taken.
   * @param what takes it, for messages: 'tensor "conv1.weight"'
   * @throws Failure `bad-file` if it is more than the file's bytes justify
   */
  take(bytes: number, what: string): void {
    this.taken += bytes;
    if (this.taken <= this.total) return;
    throw new Failure(
      'bad-file',
      `${this.file}, ${what}: expected tensors of at most ${this.total} bytes in a file of ${this.bytes}, found more`,
      'Save each tensor once, and only what the network needs.',
    );
  }
}
