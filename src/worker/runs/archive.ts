/** Runs as zip archives. */
import { readSafetensors } from '../../data/formats/safetensors.ts';
import { readZip } from '../../data/formats/zip.ts';
import { writeZip } from '../../data/formats/zip-write.ts';
import type { ArchiveFile } from '../api.ts';

/** Well above the size of a run, well below the size of memory. */
const LIMITS = { files: 16, bytes: 2 ** 30 };

/** @throws Failure if it is not an archive, is damaged or too large, or has weights that cannot be read */
export async function unpackRun(name: string, bytes: Uint8Array): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const file of readZip(name, bytes, LIMITS)) {
    const content = new Uint8Array(await file.read());
    if (file.path.endsWith('.safetensors')) readSafetensors(`${name}, ${file.path}`, content);
    files.push({ path: file.path, bytes: content });
  }
  return files;
}

export const packRun = writeZip;
