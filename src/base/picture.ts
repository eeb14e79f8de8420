/** The format and size of a picture file, and what decoding it would take, without decoding it. */
import { ByteReader } from './bytes.ts';
import { Failure } from './result.ts';

export interface PictureHeader {
  kind: 'PNG' | 'JPEG';
  /** Pixels, as stored: before the rotation that the file specifies. */
  width: number;
  height: number;
  /** Exif's orientation, 1 to 8; 1 is as stored. */
  orientation: number;
  /** Bytes of all its values, as stored: colours of a JPEG often have fewer than brightness. */
  samples: number;
  /** How often decoders go through the image: 1, but progressive JPEGs have about ten. */
  scans: number;
}

/** The largest file that is read. */
const MAX_BYTES = 2 ** 26;
/** The largest image that is read, in pixels; those of phone cameras are smaller. */
const MAX_PIXELS = 64e6;
/** JPEG's own limit of a width or height. Decoders take much memory for each row of a PNG of millions of rows. */
const MAX_SIDE = 2 ** 16;
/** A picture so large may hold at most so many pixels in a byte: more claims to be larger than it is, to fill the memory. */
const LARGE = 4e6;
const MAX_PIXELS_IN_BYTE = 100;
/** The most samples in all scans. A scan with nothing in it takes 40 bytes, and browsers a second for so many samples. */
const MAX_SCANNED = 2e9;

/** @throws Failure `bad-file`, with a reason that completes a sentence after the file's name, if no decoder should try it */
export function requireFileSize(bytes: number): void {
  if (bytes > MAX_BYTES) throw new Failure('bad-file', `has ${bytes} bytes; at most ${MAX_BYTES} are read`);
}

/** As `requireFileSize`, from what the picture says of itself. @param bytes of the file */
export function requireDecodable({ width, height, samples, scans }: PictureHeader, bytes: number): void {
  const no = (reason: string) => new Failure('bad-file', `has ${width} x ${height} pixels${reason}`);
  const pixels = width * height;
  if (pixels === 0) throw no('');
  if (Math.max(width, height) > MAX_SIDE) throw no(`; at most ${MAX_SIDE} in a row or column are read`);
  if (pixels > MAX_PIXELS) throw no(`; at most ${MAX_PIXELS / 1e6} million are read`);
  if (pixels > LARGE && pixels > MAX_PIXELS_IN_BYTE * bytes)
    throw no(` in ${bytes} bytes, too few for a picture`);
  if (samples * scans > MAX_SCANNED) throw no(` in ${scans} scans; photos have about ten`);
}

/** By a PNG's colour type: grey, colours, a palette, and the first two with opacity. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * The header of a PNG (https://www.w3.org/TR/png-3/) or JPEG file (ITU T.81, B.1 and B.2); undefined for other files.
 * @throws Failure `bad-file` if it ends or is invalid before its size, or if a JPEG has two sizes
 */
export function pictureHeader(name: string, bytes: Uint8Array): PictureHeader | undefined {
  const file = new ByteReader(name, bytes);
  if (PNG.every((byte, i) => bytes[i] === byte)) {
    file.take(PNG.length + 4, 'the signature');
    if (file.u32be('the first chunk') !== 0x49484452) throw file.bad('expected a PNG to start with IHDR', 12);
    const [width, height] = [file.u32be('the width'), file.u32be('the height')];
    const samples = width * height * (CHANNELS[bytes[25]] ?? 1) * (bytes[24] > 8 ? 2 : 1);
    return { kind: 'PNG', width, height, orientation: 1, samples, scans: 1 };
  }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  file.take(2, 'the signature');
  let orientation = 1;
  for (;;) {
    const at = file.offset;
    if (file.u8('a marker') !== 0xff) throw file.bad('expected a marker of a JPEG', at);
    let marker = file.u8('a marker');
    while (marker === 0xff) marker = file.u8('a marker');
    if (!hasLength(marker)) continue;
    if (marker === END || marker === SCAN) throw file.bad('expected the size of a JPEG before its image', at);
    const length = 256 * file.u8('a length') + file.u8('a length');
    if (length < 2) throw file.bad(`expected a length of at least 2, found ${length}`, at + 2);
    const segment = file.take(length - 2, 'a segment');
    if (marker === 0xe1) orientation = exifOrientation(segment) ?? orientation;
    if (isFrame(marker)) {
      if (segment.length < 5) throw file.bad('expected a frame of a JPEG to have a size', at);
      const [, high, low, wide, narrow, count = 1] = segment;
      const [height, width] = [256 * high + low, 256 * wide + narrow];
      // Each component has its name, its share of both sides as four bits each, and a table.
      const shares = Array.from({ length: count }, (_, i) => segment[7 + 3 * i] || 0x11);
      const [across, down] = [shares.map((share) => share >> 4), shares.map((share) => share & 15)];
      const most = Math.max(1, ...across) * Math.max(1, ...down);
      const share = across.reduce((sum, columns, i) => sum + (columns * down[i]) / most, 0);
      const scans = scansFrom(file);
      return { kind: 'JPEG', height, width, orientation, samples: width * height * share, scans };
    }
  }
}

const [END, SCAN] = [0xd9, 0xda];

/** Restart markers and some others have no length; 0 is no marker, but a byte of an image. */
const hasLength = (marker: number): boolean => marker > 0x01 && !(marker >= 0xd0 && marker <= 0xd7);

/** Start of frame, of any coding; c4, c8 and cc have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * The scans of a JPEG after its frame. Like a decoder, it skips to the next marker, whatever comes before it.
 * @throws Failure at another frame, whose size no check would have seen
 */
function scansFrom(file: ByteReader): number {
  const { bytes } = file;
  let scans = 0;
  let at = bytes.indexOf(0xff, file.offset);
  while (at >= 0 && bytes[at + 1] !== END) {
    const marker = bytes[at + 1];
    if (isFrame(marker)) throw file.bad('expected one frame in a JPEG', at);
    if (marker === SCAN) scans++;
    const length = hasLength(marker) && marker !== 0xff ? (bytes[at + 2] << 8) | bytes[at + 3] : 0;
    at = bytes.indexOf(0xff, at + (marker === 0xff ? 1 : 2 + length));
  }
  return scans;
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;

/**
 * The orientation in an Exif segment (CIPA DC-008, 4.5 and 4.6); undefined if it has none or is damaged, which only
 * affects rotation.
 */
function exifOrientation(segment: Uint8Array): number | undefined {
  if (!EXIF.every((byte, i) => segment[i] === byte) || segment.length < 14) return undefined;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const little = tiff.getUint16(0) === 0x4949;
  const first = tiff.getUint32(4, little);
  if (first + 2 > tiff.byteLength) return undefined;
  const count = tiff.getUint16(first, little);
  for (let at = first + 2; at + 12 <= Math.min(tiff.byteLength, first + 2 + 12 * count); at += 12) {
    if (tiff.getUint16(at, little) !== ORIENTATION) continue;
    const value = tiff.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
