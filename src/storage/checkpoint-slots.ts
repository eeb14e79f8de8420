/**
 * Two generations of a checkpoint in the origin private file system, in two files that are written alternately: while
 * one is written, the other is intact. Each starts with an increasing number, followed by the packed data.
 * https://fs.spec.whatwg.org/#api-filesystemsyncaccesshandle
 */
import type { Generations } from './checkpoints.ts';
import { overwrite, refused } from './opfs.ts';
import { unpack } from './packed.ts';

const SLOTS = ['run-0', 'run-1'] as const;
const NUMBER_BYTES = 8;

interface Slot {
  name: string;
  number: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export class CheckpointSlots implements Generations {
  /** The newest intact one; undefined until known. */
  private newest: { name: string | undefined; number: number } | undefined;

  /** @param folder used only for these checkpoints; see `RunPlaces` */
  constructor(private readonly folder: FileSystemDirectoryHandle) {}

  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const { name: before, number } = (this.newest ??= await this.findNewest());
      const name = SLOTS.find((slot) => slot !== before) as string;
      const head = new Uint8Array(NUMBER_BYTES);
      new DataView(head.buffer).setBigUint64(0, BigInt(number + 1), true);
      await overwrite(await this.folder.getFileHandle(name, { create: true }), [head, bytes]);
      this.newest = { name, number: number + 1 };
    } catch (error) {
      throw refused('save the run', error);
    }
  }

  async read(): Promise<Slot[]> {
    try {
      const slots: Slot[] = [];
      for await (const [name, handle] of this.folder.entries()) {
        if (!SLOTS.some((slot) => slot === name)) continue;
        const file = await (handle as FileSystemFileHandle).getFile();
        const bytes = new Uint8Array(await file.arrayBuffer());
        const whole = bytes.length >= NUMBER_BYTES;
        const number = whole ? Number(new DataView(bytes.buffer).getBigUint64(0, true)) : 0;
        slots.push({ name, number, bytes: bytes.subarray(NUMBER_BYTES) });
      }
      return slots.sort((a, b) => b.number - a.number);
    } catch (error) {
      throw refused('read the saved run', error);
    }
  }

  async remove(): Promise<void> {
    try {
      for (const { name } of await this.read()) await this.folder.removeEntry(name);
      this.newest = undefined;
    } catch (error) {
      throw refused('delete the run', error);
    }
  }

  /** A damaged one is ignored and overwritten next. */
  private async findNewest(): Promise<{ name: string | undefined; number: number }> {
    const slots = await this.read();
    const number = slots[0]?.number ?? 0;
    for (const { name, bytes } of slots) {
      const whole = await unpack(name, bytes).then(
        () => true,
        () => false,
      );
      if (whole) return { name, number };
    }
    return { name: undefined, number };
  }
}
