/** The data sets of this page: where each one stands, getting them here, and handing them out. */
import { Failure, type FailureValue } from '../base/result.ts';
import { elements } from '../base/shape.ts';
import { datasets } from '../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../data/dataset.ts';
import { longestBytes, publishedBytes } from '../data/files.ts';
import type { NamedBytes } from '../data/import.ts';
import { forgetDataset, isDatasetKept } from '../storage/dataset-cache.ts';
import type { FileStore } from '../storage/file-store.ts';
import { importDataset, obtainDataset, type Obtained } from '../storage/obtain.ts';
import type { DatasetState, Samples, Varied } from './api.ts';
import { variedImages } from './varied.ts';

/** Faster than this a progress bar is not read. */
const PROGRESS_EVERY_MS = 100;

export interface DatasetsOptions {
  store: Promise<FileStore>;
  /** The folder of the page, ending in "/". */
  pageUrl: string;
  fetch: typeof fetch;
  onStatus(name: string, status: DatasetState): void;
}

export class Datasets {
  /** What is not listed is absent. */
  private readonly statuses = new Map<string, DatasetState>();
  private readonly loaded = new Map<string, Dataset>();
  /** Being fetched or read from storage. */
  private readonly underway = new Map<string, { dataset: Promise<Dataset>; cancel: AbortController }>();
  private readonly lookedUp: Promise<void>;

  constructor(private readonly options: DatasetsOptions) {
    this.lookedUp = this.lookUp();
  }

  /** Waits until it is known what storage has. */
  async statusOf(): Promise<(name: string) => DatasetState> {
    await this.lookedUp;
    return (name) => this.statuses.get(name) ?? { state: 'absent' };
  }

  /** @throws Failure `cancelled`, `download`, `checksum` or `bad-file` */
  async fetch(name: string): Promise<void> {
    await this.obtain(datasets.get(name));
  }

  cancel(name: string): void {
    this.underway.get(name)?.cancel.abort();
  }

  /**
   * The data set, if it is here; it may have to be read from storage first.
   * @throws Failure `not-found` if it is not here
   */
  async get(name: string): Promise<Dataset> {
    const info = datasets.get(name);
    const { state } = (await this.statusOf())(name);
    if (state === 'ready' || (state === 'downloading' && info.shipped)) return this.obtain(info);
    throw new Failure('not-found', `${info.title} is not here yet.`, 'Download it first, or drop its files.');
  }

  /** @throws Failure as `importDataset` of the storage, or `bad-file` for what cannot be read at all */
  async import(name: string, files: readonly File[]): Promise<void> {
    const info = datasets.get(name);
    const contents: NamedBytes[] = [];
    for (const file of files) contents.push(await readFile(file, 2 * longestBytes(info)));
    this.take(info, await importDataset(info, await this.options.store, contents));
  }

  async remove(name: string): Promise<void> {
    const info = datasets.get(name);
    this.cancel(name);
    await forgetDataset(await this.options.store, info);
    this.loaded.delete(name);
    this.tell(name, { state: 'absent' });
  }

  /** The first `count` training images, or all if there are fewer; as they are, or varied. */
  async samples(name: string, count: number, varied?: Varied): Promise<Samples> {
    const dataset = await this.get(name);
    const { train, shape } = dataset;
    const images = train.images.slice(0, count * elements(shape));
    const labels = train.labels.slice(0, count);
    return { images: varied ? variedImages(images, dataset, varied) : images, labels, shape };
  }

  private async lookUp(): Promise<void> {
    const store = await this.options.store;
    for (const info of datasets.all()) {
      // Storage that refuses has nothing; the data set can still be fetched.
      const kept = !info.shipped && (await isDatasetKept(store, info).catch(() => false));
      if (kept && !this.statuses.has(info.name)) this.statuses.set(info.name, { state: 'ready' });
    }
  }

  private obtain(info: DatasetInfo): Promise<Dataset> {
    const { name } = info;
    const here = this.loaded.get(name);
    if (here) return Promise.resolve(here);
    let work = this.underway.get(name);
    if (!work) {
      const cancel = new AbortController();
      const dataset = this.bring(info, cancel.signal).finally(() => this.underway.delete(name));
      work = { dataset, cancel };
      this.underway.set(name, work);
    }
    return work.dataset;
  }

  private async bring(info: DatasetInfo, signal: AbortSignal): Promise<Dataset> {
    const { name } = info;
    const { fetch, pageUrl } = this.options;
    const before = (await this.statusOf())(name);
    let toldAt = 0;
    const onProgress = (receivedBytes: number, totalBytes: number) => {
      const now = performance.now();
      if (now - toldAt < PROGRESS_EVERY_MS || signal.aborted) return;
      toldAt = now;
      this.tell(name, { state: 'downloading', receivedBytes, totalBytes });
    };
    if (before.state !== 'ready') onProgress(0, publishedBytes(info));
    try {
      const store = await this.options.store;
      return this.take(info, await obtainDataset(info, store, { pageUrl, fetch, signal, onProgress }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Its files may have been dropped meanwhile.
      if (!this.loaded.has(name)) {
        const cancelled = error.code === 'cancelled';
        this.tell(name, cancelled ? { state: 'absent' } : { state: 'failed', error: error.value });
      }
      throw error;
    }
  }

  private take(info: DatasetInfo, { dataset, notKept }: Obtained): Dataset {
    this.loaded.set(info.name, dataset);
    this.tell(info.name, readyState(notKept));
    return dataset;
  }

  private tell(name: string, status: DatasetState): void {
    this.statuses.set(name, status);
    this.options.onStatus(name, status);
  }
}

const readyState = (notKept: FailureValue | undefined): DatasetState =>
  notKept ? { state: 'ready', notKept } : { state: 'ready' };

async function readFile(file: File, maxBytes: number): Promise<NamedBytes> {
  if (file.size > maxBytes) {
    throw new Failure(
      'bad-file',
      `${file.name} has ${file.size} bytes; none of the data set's files is longer than ${maxBytes}`,
      'Take the files as they are published.',
    );
  }
  try {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch (cause) {
    const advice = 'Drop the files themselves, not their folder, and leave them where they are meanwhile.';
    throw new Failure('bad-file', `${file.name} cannot be read`, advice, { cause });
  }
}
