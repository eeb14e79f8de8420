/** The data sets of this page: status, download, import, and images. */
import { lazily } from '../../base/lazily.ts';
import { attempt, Failure, type FailureValue } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../../data/dataset.ts';
import { longestBytes, publishedBytes } from '../../data/files.ts';
import type { NamedBytes } from '../../data/import.ts';
import { assembleDataset } from '../../data/load.ts';
import { EMPTY_OWN, OWN } from '../../data/own/info.ts';
import type { OwnOptions } from '../../data/own/make.ts';
import {
  deleteDataset,
  isDatasetSaved,
  savedBytes,
  saveOwn,
  savedOwnInfo,
} from '../../storage/dataset-cache.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { fromStorage, importDataset, obtainDataset, type Obtained } from '../../storage/obtain.ts';
import type {
  DatasetState,
  ImagePage,
  ImageQuery,
  OwnReport,
  OwnRequest,
  ImageSamples,
  StepAugmentation,
  StorageUse,
} from '../api.ts';
import { imagePage } from './images.ts';

const ownPictures = lazily(() => import('./own.ts'));
const augmenting = lazily(() => import('./augmented.ts'));

/** Nobody reads a progress bar that changes faster. */
const PROGRESS_EVERY_MS = 100;
/** A data set is all but here if the rest takes no longer than this at the rate so far. */
const SOON_MS = 3000;
/** Images per request of the page, at most. */
const MOST_IMAGES = 256;

export interface DatasetsOptions {
  store: Promise<FileStore>;
  /** The folder of the page, ending in "/". */
  pageUrl: string;
  fetch: typeof fetch;
  /** Decodes a picture file. */
  decode: OwnOptions['decode'];
  onStatus(name: string, status: DatasetState): void;
  /** What the browser says of the page's storage. */
  estimate?(): Promise<StorageEstimate>;
}

export class Datasets {
  /** A data set that is not listed is absent. */
  private readonly statuses = new Map<string, DatasetState>();
  private readonly loaded = new Map<string, Dataset>();
  /** Data sets that are being fetched or read from storage. */
  private readonly underway = new Map<string, { dataset: Promise<Dataset>; cancel: AbortController }>();
  private readonly lookedUp: Promise<void>;
  private own = EMPTY_OWN;

  constructor(private readonly options: DatasetsOptions) {
    this.lookedUp = this.lookUp();
  }

  /** Waits until storage has been searched. */
  async statusOf(): Promise<(name: string) => DatasetState> {
    await this.lookedUp;
    return (name) => this.statuses.get(name) ?? { state: 'absent' };
  }

  /** All data sets; the user's own comes last. */
  async infos(): Promise<DatasetInfo[]> {
    await this.lookedUp;
    return [...datasets.all(), this.own];
  }

  /** @throws Failure `cancelled`, `download`, `checksum` or `bad-file` */
  async fetch(name: string): Promise<void> {
    await this.obtain(this.infoOf(name));
  }

  cancel(name: string): void {
    this.underway.get(name)?.cancel.abort();
  }

  /**
   * The data set, if it was downloaded or imported, or comes with the page; fetches or reads it if necessary, and waits for
   * one that is on its way.
   * @throws Failure `not-found` if it was not
   */
  async get(name: string): Promise<Dataset> {
    const info = this.infoOf(name);
    const { state } = (await this.statusOf())(name);
    const isUnderWay = this.underway.has(name);
    if (isUnderWay || state === 'ready' || (info.shipped && state !== 'failed')) return this.obtain(info);
    throw new Failure(
      'not-found',
      `${info.title} is not downloaded yet.`,
      'Download it first, or drop its files.',
    );
  }

  /** @throws Failure as `importDataset` of the storage, or `bad-file` for unreadable files */
  async import(name: string, files: readonly File[]): Promise<void> {
    const info = this.infoOf(name);
    const contents: NamedBytes[] = [];
    for (const file of files) contents.push(await readFile(file, 2 * longestBytes(info)));
    this.take(info, await importDataset(info, await this.options.store, contents));
  }

  /**
   * Makes a data set of the user's images. It replaces the one before, which stays if this fails.
   * @throws Failure as `makeOwn`
   */
  async takeOwn(request: OwnRequest): Promise<OwnReport> {
    this.cancel(OWN);
    const cancel = new AbortController();
    const making = this.make(request, cancel.signal);
    const dataset = making.then((made) => made.dataset);
    // Requests for the set wait for it; there may be none.
    dataset.catch(() => undefined);
    const work = { dataset, cancel };
    this.underway.set(OWN, work);
    try {
      return (await making).report;
    } catch (error) {
      // The earlier images are still available; a later request reports its own failure.
      const before: DatasetState = { state: this.own === EMPTY_OWN ? 'absent' : 'ready' };
      if (error instanceof Failure && this.underway.get(OWN) === work) this.setStatus(OWN, before);
      throw error;
    } finally {
      if (this.underway.get(OWN) === work) this.underway.delete(OWN);
    }
  }

  async remove(name: string): Promise<void> {
    const info = this.infoOf(name);
    this.cancel(name);
    await deleteDataset(await this.options.store, info);
    this.loaded.delete(name);
    if (name === OWN) this.own = EMPTY_OWN;
    this.setStatus(name, { state: 'absent' });
  }

  /** The first `count` training images, or all if there are fewer, with optional augmentation. */
  async samples(name: string, count: number, augmented?: StepAugmentation): Promise<ImageSamples> {
    const query = { dataset: name, split: 'train', first: 0, count } as const;
    const { images, labels, shape } = await this.page(augmented ? { ...query, augmented } : query);
    return { images, labels, shape };
  }

  /** A part of a data set's images. @throws Failure `not-found` if it was not downloaded or imported */
  images(query: ImageQuery): Promise<ImagePage> {
    return this.page({ ...query, count: Math.min(query.count, MOST_IMAGES) });
  }

  async storage(): Promise<StorageUse> {
    const store = await this.options.store;
    const saved: StorageUse['datasets'] = [];
    for (const info of await this.infos()) {
      const bytes = await savedBytes(store, info);
      if (bytes > 0) saved.push({ name: info.name, bytes });
    }
    const { usage, quota } = (await this.options.estimate?.()) ?? {};
    return { datasets: saved, usage, quota };
  }

  private async page(query: ImageQuery): Promise<ImagePage> {
    const dataset = await this.get(query.dataset);
    const page = imagePage(dataset, query);
    if (!query.augmented) return page;
    const { augmentedImages } = await augmenting();
    return { ...page, images: augmentedImages(page.images, dataset, query.augmented) };
  }

  private async lookUp(): Promise<void> {
    const store = await this.options.store;
    for (const info of datasets.all()) {
      // If storage refuses, the data set can still be fetched.
      const saved = !info.shipped && (await isDatasetSaved(store, info).catch(() => false));
      if (saved && !this.statuses.has(info.name)) this.statuses.set(info.name, { state: 'ready' });
    }
    const own = await savedOwnInfo(store).catch(() => undefined);
    if (own) {
      this.own = own;
      this.statuses.set(OWN, { state: 'ready' });
    }
  }

  private infoOf(name: string): DatasetInfo {
    return name === OWN ? this.own : datasets.get(name);
  }

  private async make(
    request: OwnRequest,
    signal: AbortSignal,
  ): Promise<{ dataset: Dataset; report: OwnReport }> {
    const report = limited((done, total) => this.setStatus(OWN, { state: 'reading', done, total }));
    await this.lookedUp;
    const { makeOwn, reportOf } = await ownPictures();
    const own = await makeOwn(request, {
      decode: this.options.decode,
      signal,
      onProgress: (done, total) => !signal.aborted && report(done, total),
    });
    const assembled = await assembleDataset(own.info, own.files);
    const store = await this.options.store;
    const saved = await attempt(() => saveOwn(store, own));
    this.own = own.info;
    const dataset = this.take(own.info, {
      dataset: assembled,
      ...(saved.ok ? {} : { notSaved: saved.error }),
    });
    return { dataset, report: reportOf(own) };
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
    const began = performance.now();
    let soon = false;
    const report = limited((receivedBytes, totalBytes) => {
      const bytesPerMs = receivedBytes / (performance.now() - began);
      // It stays so if the rest is late: who could start a run a moment ago still can.
      soon ||= totalBytes - receivedBytes <= SOON_MS * bytesPerMs;
      this.setStatus(name, { state: 'downloading', receivedBytes, totalBytes, ...(soon && { soon }) });
    });
    const onProgress = (received: number, total: number) => !signal.aborted && report(received, total);
    if (before.state !== 'ready') onProgress(0, publishedBytes(info));
    try {
      const store = await this.options.store;
      // Storage has been searched by now, which it may not have been when `info` was asked for.
      if (name === OWN) return this.take(this.own, { dataset: await savedOwn(this.own, store) });
      return this.take(info, await obtainDataset(info, store, { pageUrl, fetch, signal, onProgress }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // It may have been imported meanwhile.
      if (!this.loaded.has(name)) {
        const cancelled = error.code === 'cancelled';
        this.setStatus(name, cancelled ? { state: 'absent' } : { state: 'failed', error: error.value });
      }
      throw error;
    }
  }

  private take(info: DatasetInfo, { dataset, notSaved }: Omit<Obtained, 'source'>): Dataset {
    this.loaded.set(info.name, dataset);
    this.setStatus(info.name, readyState(notSaved));
    return dataset;
  }

  private setStatus(name: string, status: DatasetState): void {
    this.statuses.set(name, status);
    this.options.onStatus(name, status);
  }
}

/** Calls `report` the first time, and then at most every PROGRESS_EVERY_MS. */
function limited(report: (done: number, total: number) => void): typeof report {
  let reportedAt = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = now;
    report(done, total);
  };
}

/** @throws Failure `not-found` if it is no longer available */
async function savedOwn(info: DatasetInfo, store: FileStore): Promise<Dataset> {
  const dataset = await fromStorage(info, store);
  if (dataset) return dataset;
  throw new Failure('not-found', 'Your images are no longer available or are damaged.', 'Import them again.');
}

const readyState = (notSaved: FailureValue | undefined): DatasetState =>
  notSaved ? { state: 'ready', notSaved } : { state: 'ready' };

async function readFile(file: File, maxBytes: number): Promise<NamedBytes> {
  if (file.size > maxBytes) {
    throw new Failure(
      'bad-file',
      `${file.name} has ${file.size} bytes; none of the data set's files is longer than ${maxBytes}`,
      'Use the original published files.',
    );
  }
  try {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch (cause) {
    const advice = 'Drop the files, not their folder, and do not move them during import.';
    throw new Failure('bad-file', `${file.name} cannot be read`, advice, { cause });
  }
}
