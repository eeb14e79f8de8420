/**
 * PNG (https://www.w3.org/TR/png-3/), decoded by the same code in the page and on the command line, so that an image is the same to
 * the byte. Colour profiles and gamma are not applied; 16 bits are rounded to 8; bytes after the end are ignored.
 */
import { ByteReader } from '../../base/bytes.ts';
import { crc32 } from './zip.ts';

export interface Rgba {
  width: number;
  height: number;
  /** Red, green, blue and opacity, a byte each, by rows. */
  data: Uint8Array;
}

interface Header {
  width: number;
  height: number;
  /** Bits of a sample, and samples of a pixel. */
  depth: number;
  channels: number;
  colour: number;
  interlaced: boolean;
}

const SIGNATURE_BYTES = 8;
/** By colour type: grey, colours, a palette, and the first two with opacity. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
/** Adam7: the first column and row of each pass, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

/**
 * @param bytes a file whose size was checked by `requireDecodable`
 * @throws Failure `bad-file` with the byte of what is damaged
 */
export async function decodePng(name: string, bytes: Uint8Array): Promise<Rgba> {
  const file = new ByteReader(name, bytes);
  file.take(SIGNATURE_BYTES, 'the signature');
  let header: Header | undefined;
  let palette: Uint8Array | undefined;
  let opacity: Uint8Array | undefined;
  const parts: Uint8Array[] = [];
  for (let type = ''; type !== 'IEND';) {
    const at = file.offset;
    const length = file.u32be('the length of a chunk');
    const checked = file.take(4 + length, 'a chunk');
    const crc = file.u32be('a checksum');
    type = String.fromCharCode(...checked.subarray(0, 4));
    const isNeeded = checked[0] >= 0x41 && checked[0] <= 0x5a;
    if (isNeeded && crc32(checked) !== crc) throw file.bad(`the chunk ${type} is damaged`, at);
    const data = checked.subarray(4);
    if (type === 'IHDR') header = headerOf(file, data, at);
    else if (type === 'PLTE') palette = data;
    else if (type === 'tRNS') opacity = data;
    else if (type === 'IDAT') parts.push(data);
  }
  if (!header) throw file.bad('expected a header', SIGNATURE_BYTES);
  if (header.colour === PALETTE && (!palette || palette.length % 3 !== 0))
    throw file.bad('expected a palette', SIGNATURE_BYTES);
  const passes = header.interlaced ? PASSES : WHOLE;
  const rows = passes.map(([x, y, across, down]) => ({
    columns: Math.ceil(Math.max(0, header.width - x) / across),
    rows: Math.ceil(Math.max(0, header.height - y) / down),
  }));
  const bits = header.depth * header.channels;
  const lengths = rows.map(({ columns, rows: count }) =>
    columns === 0 ? 0 : count * (1 + Math.ceil((columns * bits) / 8)),
  );
  const filtered = await inflated(
    file,
    parts,
    lengths.reduce((a, b) => a + b),
  );
  const out = new Uint8Array(4 * header.width * header.height);
  const colour = colourer(header, palette, opacity);
  let from = 0;
  passes.forEach(([x, y, across, down], pass) => {
    const { columns, rows: count } = rows[pass];
    const part = filtered.subarray(from, (from += lengths[pass]));
    if (columns === 0) return;
    unfilter(file, part, count, Math.max(1, bits >> 3));
    const stride = part.length / count;
    for (let row = 0; row < count; row++) {
      const line = part.subarray(row * stride + 1, (row + 1) * stride);
      const to = 4 * ((y + row * down) * header.width + x);
      for (let column = 0; column < columns; column++) colour(line, column, out, to + 4 * column * across);
    }
  });
  return { width: header.width, height: header.height, data: out };
}

function headerOf(file: ByteReader, data: Uint8Array, at: number): Header {
  if (data.length !== 13) throw file.bad('expected a header of 13 bytes', at);
  const view = new DataView(data.buffer, data.byteOffset);
  const [depth, colour, compression, filter, interlace] = data.subarray(8);
  if (DEPTHS[colour]?.includes(depth) !== true)
    throw file.bad(`expected a known colour type and depth, found ${colour} and ${depth}`, at);
  if (compression !== 0 || filter !== 0 || interlace > 1)
    throw file.bad('expected a known compression, filter and interlace method', at);
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    colour,
    channels: CHANNELS[colour],
    interlaced: interlace === 1,
  };
}

/** The first `length` bytes of the compressed data; decoders do not mind more. */
async function inflated(file: ByteReader, parts: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const output = new Uint8Array(length);
  let filled = 0;
  let next = 0;
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (next < parts.length) controller.enqueue(parts[next++] as Uint8Array<ArrayBuffer>);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const reader = input.pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    while (filled < length) {
      const { done, value } = await reader.read();
      if (done) break;
      output.set(value.subarray(0, length - filled), filled);
      filled += Math.min(value.length, length - filled);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw file.bad(`the compressed image is damaged or cut off (${reason})`);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  if (filled < length) throw file.bad(`expected ${length} bytes of rows, found ${filled}`);
  return output;
}

/** Undoes the filters, in place: each row begins with its filter's number. @param size bytes of a pixel */
function unfilter(file: ByteReader, data: Uint8Array, rows: number, size: number): void {
  const stride = data.length / rows;
  for (let row = 0; row < rows; row++) {
    const start = row * stride + 1;
    const end = start + stride - 1;
    const kind = data[start - 1];
    const hasAbove = row > 0;
    if (kind > 4) throw file.bad(`expected a filter from 0 to 4, found ${kind}`);
    if (kind === 0) continue;
    for (let at = start; at < end; at++) {
      const left = at - size >= start ? data[at - size] : 0;
      const above = hasAbove ? data[at - stride] : 0;
      const corner = hasAbove && at - size >= start ? data[at - stride - size] : 0;
      data[at] +=
        kind === 1
          ? left
          : kind === 2
            ? above
            : kind === 3
              ? (left + above) >> 1
              : paeth(left, above, corner);
    }
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Writes the pixel of a row's column as four bytes. */
function colourer(
  { depth, channels, colour }: Header,
  palette: Uint8Array | undefined,
  opacity: Uint8Array | undefined,
): (row: Uint8Array, column: number, out: Uint8Array, to: number) => void {
  const most = 2 ** depth - 1;
  const sample = (row: Uint8Array, i: number): number => {
    if (depth === 8) return row[i];
    if (depth === 16) return 256 * row[2 * i] + row[2 * i + 1];
    const bit = i * depth;
    return (row[bit >> 3] >> (8 - depth - (bit & 7))) & most;
  };
  const byte = depth === 8 ? (value: number) => value : (value: number) => Math.round((255 * value) / most);
  if (colour === PALETTE && palette) {
    const colours = palette;
    return (row, column, out, to) => {
      const index = sample(row, column);
      for (let c = 0; c < 3; c++) out[to + c] = colours[3 * index + c] ?? 0;
      out[to + 3] = opacity?.[index] ?? 255;
    };
  }
  const grey = channels < 3;
  const hasOpacity = channels === 2 || channels === 4;
  // One colour that is not seen.
  const hidden =
    !hasOpacity && opacity
      ? Array.from({ length: channels }, (_, c) => 256 * opacity[2 * c] + opacity[2 * c + 1])
      : undefined;
  return (row, column, out, to) => {
    const first = column * channels;
    for (let c = 0; c < 3; c++) out[to + c] = byte(sample(row, grey ? first : first + c));
    const isHidden = hidden?.every((value, c) => sample(row, first + c) === value);
    out[to + 3] = isHidden === true ? 0 : hasOpacity ? byte(sample(row, first + channels - 1)) : 255;
  };
}
