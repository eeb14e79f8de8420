/** A page for one library: whoever drives the browser calls what stands here on `window`. */
import { assembleDataset } from '../../src/data/load.ts';
import type { FileRole } from '../../src/data/dataset.ts';
import digits from '../../src/data/datasets/digits/index.ts';
import type { Engine } from '../../src/node/gpu.ts';
import type { Library, Peer, Round, Task } from '../lenet5/peer.ts';

const libraries = {
  wgrad: () => import('../lenet5/wgrad.ts'),
  tfjs: () => import('../lenet5/tfjs.ts'),
  jax: () => import('../lenet5/jax.ts'),
} satisfies Record<string, () => Promise<{ default: Library }>>;

export type LibraryName = keyof typeof libraries;

export interface PageApi {
  /** Answers the library's title. */
  open(library: LibraryName, task: Task): Promise<string>;
  train(steps: number): Promise<Round>;
  close(): Promise<void>;
  /** The adapter in words. */
  adapter(engine: Engine): Promise<string>;
}

declare global {
  interface Window {
    bench: PageApi;
  }
}

let peer: Peer | undefined;

window.bench = {
  async open(name, task) {
    const { default: library } = await libraries[name]();
    peer = await library.open(task, await fetchDigits());
    return library.titleOn(task.engine);
  },
  train(steps) {
    if (!peer) throw new Error('open a library first');
    return peer.train(steps);
  },
  async close() {
    await peer?.close();
    peer = undefined;
  },
  async adapter(engine) {
    const { openDevice } = await import('../../src/gpu/device.ts');
    const { cpuGpu } = await import('../../src/cpu/device/gpu.ts');
    const device = await openDevice(engine === 'gpu' ? navigator.gpu : cpuGpu());
    device.destroy();
    return device.adapter.description;
  },
};

async function fetchDigits() {
  const files = new Map<FileRole, Uint8Array>();
  for (const { role, name } of digits.files) {
    if (!role.startsWith('train')) continue;
    const response = await fetch(new URL(`/datasets/${digits.name}/${name}`, location.href));
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    files.set(role, new Uint8Array(await response.arrayBuffer()));
  }
  return assembleDataset(digits, files, { testRequired: false });
}
