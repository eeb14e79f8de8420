/** Faults of what reads, writes and keeps files: formats, storage, and formats of other programs. */
import { beside, of } from '../mutant.mjs';

const ONNX = 'src/exchange/onnx/read.test';
const PARQUET = 'src/data/formats/parquet.test';
const OWN = 'src/data/own/understand.test';

export default [
  // Formats.
  of('src/data/formats/zip.', 'src/data/formats/path.ts', "part === '.' || part === '..'", "part === '.'"),
  beside('src/data/formats/zip.ts', 'if (found !== entry.crc)', 'if (false)'),
  beside('src/data/formats/tar.ts', '(BLOCK - (size % BLOCK)) % BLOCK', 'BLOCK - (size % BLOCK)'),
  beside('src/data/formats/tar.ts', 'type === 0 || type === 0x30', 'type < 0x33'),
  beside('src/data/formats/tar.ts', 'if (!hasChecksum(header)) throw', 'if (false) throw'),
  beside(
    'src/data/formats/idx.ts',
    'view.setUint32(4 + 4 * i, size)',
    'view.setUint32(4 + 4 * i, size, true)',
  ),
  beside('src/data/formats/idx.ts', 'if (size === 0)', 'if (false)'),
  beside('src/data/formats/zip.ts', 'if (value !== ZIP64.elsewhere) return value;', ''),
  beside('src/data/formats/zip.ts', '[sizes[1], sizes[0], offset]', '[sizes[0], sizes[1], offset]'),
  beside('src/data/formats/parquet.ts', 'levels && levels[i] !== optional', 'levels?.[i] === 0'),
  beside('src/data/formats/parquet.ts', 'isPacked ? codec : 0', 'codec'),
  of(PARQUET, 'src/data/formats/snappy.ts', '|| length > packed.length * MAX_RATIO', ''),
  of(PARQUET, 'src/data/formats/snappy.ts', 'distance === 0 || distance > at', 'distance === 0'),
  of(PARQUET, 'src/data/formats/thrift.ts', 'if (count > file.remaining)', 'if (false)'),
  of(PARQUET, 'src/data/formats/thrift.ts', 'if (depth > MAX_DEPTH)', 'if (false)'),
  of(OWN, 'src/data/own/parquet.ts', 'value !== -1', 'true'),
  of(OWN, 'src/data/own/splits.ts', "['val', 'valid', 'validation', 'dev']", "['val']"),
  of(
    'src/base/pixels/prepare.test',
    'src/base/pixels/ground.ts',
    'const enough = MOST_IMAGES * images.length',
    'const enough = 0.5 * images.length',
  ),
  of(
    'src/base/pixels/prepare.test',
    'src/base/pixels/prepare.ts',
    "choice === 'auto' && found !== undefined",
    'found !== undefined',
  ),
  // Checkpoints and data sets.
  beside(
    'src/storage/packed.ts',
    'if (digest.every((byte, i) => byte === bytes[at + i])) return;',
    'return;',
  ),
  beside('src/storage/packed.ts', 'if (version !== VERSION)', 'if (version === undefined)'),
  beside('src/storage/checkpoints.ts', 'failures.push(error);', 'throw error;'),
  beside('src/storage/checkpoints.ts', 'this.waiting = undefined;\n      try', 'try'),
  beside(
    'src/storage/checkpoints.ts',
    'while (this.writing) await this.writing;',
    'await Promise.resolve();',
  ),
  beside(
    'src/storage/obtain.ts',
    'if (info.shipped) throw new Failure(error.code',
    'if (false) throw new Failure(error.code',
  ),
  // Formats of other programs.
  of(ONNX, 'src/exchange/onnx/external.ts', String.raw`/^[\w@()-][\w`, String.raw`/^[\w.@()-][\w`),
  of(ONNX, 'src/exchange/onnx/external.ts', "replace(/^\\.\\//, '')", "replace(/^\\.\\.?\\//, '')"),
  of(ONNX, 'src/exchange/onnx/external.ts', 'offset <= end && end <= bytes.length', 'offset <= end'),
];
