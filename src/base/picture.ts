/** The format and size of a picture file, and what decoding it would take, without decoding it. */
import { ByteReader } from './bytes.ts';
import { Failure } from './result.ts';

export interface PictureHeader {
  kind: 'PNG' | 'JPEG' | 'WebP' | 'GIF' | 'BMP' | 'AVIF';
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

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Formats that are known by name alone: hardly a program reads them. */
type OtherKind = 'HEIC' | 'TIFF' | 'JPEG XL' | 'JPEG 2000' | 'icon' | 'PPM' | 'SVG';

/** The format of a picture by its first bytes, 512 of which are enough; undefined for other files. */
export function pictureKind(bytes: Uint8Array): PictureHeader['kind'] | OtherKind | undefined {
  const begins = (...start: number[]) => start.every((byte, i) => bytes[i] === byte);
  if (begins(...PNG)) return 'PNG';
  if (begins(0xff, 0xd8, 0xff)) return 'JPEG';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'WebP';
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'GIF';
  if (ascii(bytes, 0, 2) === 'BM' && begins(0x42, 0x4d) && bytes[15] === 0 && bytes[16] === 0) return 'BMP';
  if (begins(0xff, 0x0a) || ascii(bytes, 4, 4) === 'JXL ') return 'JPEG XL';
  if (ascii(bytes, 4, 4) === 'jP  ') return 'JPEG 2000';
  if (begins(0x49, 0x49, 42, 0) || begins(0x4d, 0x4d, 0, 42)) return 'TIFF';
  if (begins(0, 0, 1, 0) && bytes.length > 22) return 'icon';
  if (/^P[1-7]\s/.test(ascii(bytes, 0, 3))) return 'PPM';
  if (/^(<svg[\s>]|<\?xml .*<svg[\s>])/s.test(ascii(bytes, 0, 512))) return 'SVG';
  if (ascii(bytes, 4, 4) !== 'ftyp') return undefined;
  const brand = ascii(bytes, 8, 4);
  return /^avi[fs]/.test(brand) ? 'AVIF' : /^(hei|hev|mif1|msf1)/.test(brand) ? 'HEIC' : undefined;
}

/**
 * The header of a picture that some decoder of wgrad reads; undefined for other files. PNG (https://www.w3.org/TR/png-3/) and
 * JPEG (ITU T.81, B.1 and B.2) say what decoding takes, the others only their size.
 * @throws Failure `bad-file` if it ends or is invalid before its size, or if a JPEG has two sizes
 */
export function pictureHeader(name: string, bytes: Uint8Array): PictureHeader | undefined {
  const kind = pictureKind(bytes);
  const file = new ByteReader(name, bytes);
  if (kind === 'PNG') {
    file.take(PNG.length + 4, 'the signature');
    if (file.u32be('the first chunk') !== 0x49484452) throw file.bad('expected a PNG to start with IHDR', 12);
    const [width, height] = [file.u32be('the width'), file.u32be('the height')];
    const samples = width * height * (CHANNELS[bytes[25]] ?? 1) * (bytes[24] > 8 ? 2 : 1);
    return { kind, width, height, orientation: pngOrientation(bytes), samples, scans: 1 };
  }
  if (kind === 'WebP' || kind === 'GIF' || kind === 'BMP' || kind === 'AVIF') {
    const [width, height] = sizeOf(kind, file);
    return { kind, width, height, orientation: 1, samples: 3 * width * height, scans: 1 };
  }
  if (kind !== undefined && kind !== 'JPEG')
    throw new Failure('bad-file', `is a picture in the format ${kind}, which is not read`);
  if (kind === undefined) return undefined;
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

/** Width and height. @throws Failure `bad-file` if the file ends before them */
function sizeOf(kind: 'WebP' | 'GIF' | 'BMP' | 'AVIF', file: ByteReader): [number, number] {
  const { bytes } = file;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = kind === 'AVIF' ? extentsAt(bytes) : 0;
  if (bytes.length < 30 || at < 0) throw file.bad(`expected the size of a ${kind} picture`, bytes.length);
  // https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18
  if (kind === 'GIF') return [view.getUint16(6, true), view.getUint16(8, true)];
  // ISO/IEC 23008-12, 6.5.3
  if (kind === 'AVIF') return [view.getUint32(at + 8), view.getUint32(at + 12)];
  if (kind === 'BMP') {
    const isOld = view.getUint32(14, true) === 12;
    if (isOld) return [view.getUint16(18, true), view.getUint16(20, true)];
    return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
  }
  // RFC 9649, 2.5 to 2.7
  const form = ascii(bytes, 12, 4);
  const u24 = (from: number) => view.getUint16(from, true) + 65536 * bytes[from + 2];
  if (form === 'VP8X') return [u24(24) + 1, u24(27) + 1];
  if (form === 'VP8L') {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
  }
  return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
}

/** Where an AVIF has the size of its first image, near its beginning; -1 if it has none. */
function extentsAt(bytes: Uint8Array): number {
  const at = ascii(bytes, 0, 4096).indexOf('ispe');
  return at + 16 <= bytes.length ? at : -1;
}

/** In a chunk of its own (PNG, 11.3.4.5), before or after the image. */
function pngOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A chunk is its length, its type, its data and a checksum.
  for (let at = PNG.length; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = ascii(bytes, at + 4, 4);
    if (type === 'IEND') break;
    if (type === 'eXIf') return tiffOrientation(bytes.subarray(at + 8, at + 8 + view.getUint32(at))) ?? 1;
  }
  return 1;
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;

/** The orientation in an Exif segment of a JPEG; undefined if it has none. */
const exifOrientation = (segment: Uint8Array): number | undefined =>
  EXIF.every((byte, i) => segment[i] === byte) ? tiffOrientation(segment.subarray(EXIF.length)) : undefined;

/**
 * The orientation that a camera noted (CIPA DC-008, 4.5 and 4.6); undefined if there is none or the note is damaged, which only
 * affects rotation.
 */
function tiffOrientation(note: Uint8Array): number | undefined {
  if (note.length < 8) return undefined;
  const tiff = new DataView(note.buffer, note.byteOffset, note.byteLength);
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
