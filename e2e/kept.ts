import type { Page } from '@playwright/test';
import { unpack } from '../src/storage/packed.ts';
import type { Points } from '../src/run/metrics/points.ts';
import type { StoredRun } from '../src/worker/api.ts';

/** The runs that the page keeps in the browser's private files, the first one first. */
export async function keptRuns(page: Page): Promise<StoredRun[]> {
  // While the page writes one, Firefox aborts reading it.
  const records = await retried(() =>
    page.evaluate(async () => {
      const found: StoredRun[] = [];
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('wgrad-runs', { create: true });
      for await (const run of folder.values()) {
        const file = await (run as FileSystemDirectoryHandle)
          .getFileHandle('run.json')
          .catch(() => undefined);
        if (file) found.push(JSON.parse(await (await file.getFile()).text()) as StoredRun);
      }
      return found;
    }),
  );
  return records.sort((a, b) => a.number - b.number);
}

async function retried<T>(read: () => Promise<T>): Promise<T> {
  for (let again = 0; again < 5; again++) {
    try {
      return await read();
    } catch {
      await new Promise((done) => setTimeout(done, 200));
    }
  }
  return read();
}

/** The first 2,048 points of a run's curves. */
export async function keptCurve(page: Page, id: string): Promise<Points> {
  const bytes = await page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    const folder = await (await root.getDirectoryHandle('wgrad-runs')).getDirectoryHandle(name);
    const file = await (await folder.getFileHandle('curve-0.safetensors')).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
  }, id);
  return (await unpack('curve', Uint8Array.from(bytes))) as Points;
}
