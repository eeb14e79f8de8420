/** The files of a run's archive, within limits that are checked before anything is unpacked. */
import { Failure } from '../../../base/result.ts';
import { readSafetensors } from '../../../data/formats/safetensors.ts';
import { readZip } from '../../../data/formats/zip.ts';
import type { PackedFile } from '../../../data/formats/zip-write.ts';

/** The largest archive, in bytes, and what it may be unpacked: well above the size of a run, well below that of memory. */
const LARGEST = 512e6;
const LIMITS = { files: 16, bytes: 2 ** 30 };
/** The files of a run, and how large each may be. Others are not even unpacked. */
const FILES: Readonly<Record<string, number>> = {
  'config.json': 2 ** 24,
  'metrics.csv': 2 ** 26,
  'model.json': 2 ** 22,
  'timings.json': 2 ** 22,
  'weights.safetensors': 2 ** 29,
  'checkpoint.safetensors': 2 ** 29,
  'histograms.safetensors': 2 ** 27,
};
/** Numbers of a network hardly shrink: what claims to have shrunk more is a bomb. Small files may be all zeros. */
const MAX_RATIO = 16;
const SMALL = 2 ** 24;

/** @throws Failure if it is not an archive, is damaged or too large, or has weights that cannot be read */
export async function unpackRun(name: string, bytes: Uint8Array): Promise<PackedFile[]> {
  if (bytes.length > LARGEST) throw tooLarge(name, LARGEST, bytes.length);
  const found = readZip(name, bytes, LIMITS).filter(({ path }) => Object.hasOwn(FILES, path));
  for (const { path, bytes: claimed } of found) {
    const most = claimed > SMALL ? Math.min(FILES[path], MAX_RATIO * bytes.length) : FILES[path];
    if (claimed > most) throw tooLarge(`${name}: ${path}`, most, claimed);
  }
  const files: PackedFile[] = [];
  for (const { path, read } of found) {
    const content = new Uint8Array(await read());
    if (path === 'weights.safetensors') readSafetensors(`${name}, ${path}`, content);
    files.push({ path, bytes: content });
  }
  return files;
}

const tooLarge = (what: string, most: number, found: number): Failure =>
  new Failure(
    'bad-file',
    `${what}: expected at most ${Math.round(most / 1e6)} MB, found ${Math.round(found / 1e6)} MB`,
    'Choose an archive that wgrad exported.',
  );
