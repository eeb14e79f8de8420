/** Fetches published files. */
import { Failure } from '../base/result.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { fetchBytes, type FetchOptions } from './fetch-bytes.ts';
import { publishedBytes, verifyFile } from './files.ts';

export interface DownloadOptions extends FetchOptions {
  onProgress?: (receivedBytes: number, totalBytes: number) => void;
}

/**
 * Downloads all files of a data set, each from the first mirror that has it intact.
 * @throws Failure `cancelled`; `checksum` if no mirror sent the published bytes and one sent others; `download` if none
 *   could be reached
 */
export async function downloadDataset(
  info: DatasetInfo,
  options: DownloadOptions,
): Promise<Map<FileRole, Uint8Array>> {
  if (info.source !== undefined && info.mirrors.length === 0) {
    throw new Failure(
      'download',
      `${info.title} cannot be downloaded from the browser (blocked by CORS)`,
      `Get ${info.archive?.name ?? 'it'} from ${info.source} and drop it here.`,
    );
  }
  const total = publishedBytes(info);
  const mirrors = [...info.mirrors];
  const files = new Map<FileRole, Uint8Array>();
  let received = 0;
  const report = (bytes: number) => options.onProgress?.(received + bytes, total);
  report(0);
  for (const file of info.files) {
    files.set(file.role, await downloadFile(info, file, mirrors, options, report));
    received += file.bytes;
  }
  return files;
}

/**
 * Tries the mirrors in turn; one that fails moves to the end of `mirrors`, so that the next file starts with a working
 * one.
 */
async function downloadFile(
  info: DatasetInfo,
  file: DatasetFile,
  mirrors: string[],
  options: FetchOptions,
  onBytes: (receivedBytes: number) => void,
): Promise<Uint8Array> {
  const failures: Failure[] = [];
  for (let attempts = mirrors.length; attempts > 0; attempts--) {
    const url = mirrors[0] + file.name;
    try {
      const bytes = await fetchBytes(url, file.bytes, options, onBytes);
      await verifyFile(info, file, url, bytes);
      return bytes;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'cancelled') throw error;
      failures.push(error);
      onBytes(0);
      mirrors.push(...mirrors.splice(0, 1));
    }
  }
  throw new Failure(
    failures.some(({ code }) => code !== 'download') ? 'checksum' : 'download',
    `${info.title}: ${file.name} could not be downloaded. ${failures.map(({ message }) => message).join('; ')}`,
    `Try again later, or get ${info.files.map(({ name }) => name).join(', ')} elsewhere and drop them here, ` +
      `or run "npm run -s wgrad -- datasets ${info.name}".`,
  );
}
