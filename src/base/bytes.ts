import { Failure } from './result.ts';

/** The most characters of a message: what it quotes from a file may be of any length. */
const LONGEST = 400;

/** A `bad-file` failure that names the file and the place in it. */
export const badFile = (name: string, offset: number, message: string, advice?: string): Failure =>
  new Failure('bad-file', `${name}, byte ${offset}: ${shortened(message)}`, advice);

/** The middle is left out: an error says first what was expected, and last what was found. */
const shortened = (message: string): string =>
  message.length <= LONGEST ? message : `${message.slice(0, LONGEST / 2)} ... ${message.slice(-LONGEST / 2)}`;

/**
 * Reads a file's bytes front to back. Every read is checked against the remaining bytes and copies nothing, so a size
 * that a file claims costs nothing before it is compared with the file's real size.
 */
export class ByteReader {
  /** Bytes from the start of the file to the next read. */
  offset = 0;
  private readonly view: DataView;

  /** @param name the file's name, for messages */
  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.bytes.byteLength - this.offset;
  }

  /** The failure to throw when the file is wrong at `offset` (by default: at the next read). */
  bad(message: string, offset = this.offset): Failure {
    return badFile(this.name, offset, message);
  }

  /** The next `count` bytes, as a view into the file. @param what names them in the message */
  take(count: number, what: string): Uint8Array {
    const start = this.advance(count, what);
    return this.bytes.subarray(start, start + count);
  }

  u8(what: string): number {
    return this.view.getUint8(this.advance(1, what));
  }

  u16le(what: string): number {
    return this.view.getUint16(this.advance(2, what), true);
  }

  u32be(what: string): number {
    return this.view.getUint32(this.advance(4, what));
  }

  u32le(what: string): number {
    return this.view.getUint32(this.advance(4, what), true);
  }

  /** A 64-bit length. Numbers above 2^53 are refused: no file is that long. */
  u64le(what: string): number {
    const start = this.advance(8, what);
    const value = this.view.getBigUint64(start, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw this.bad(`${what} is ${value}, larger than any valid file`, start);
    return Number(value);
  }

  /** Throws if bytes are left over. */
  end(): void {
    if (this.remaining > 0)
      throw this.bad(`expected the end of the file, found ${this.remaining} more bytes`);
  }

  /** Advances by `count` bytes and returns where they start. */
  private advance(count: number, what: string): number {
    if (!(count <= this.remaining)) {
      throw this.bad(
        `expected ${count} bytes of ${what}, found ${this.remaining} before the end of the file`,
      );
    }
    const start = this.offset;
    this.offset += count;
    return start;
  }
}
