/** Data sets, and the person's own images: types only. */
import type { Augmentation } from '../../base/augmentation.ts';
import type { FailureValue, Result } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';

declare module '../api.ts' {
  interface Parts {
    data: { calls: DataApi; events: DatasetEvent };
  }
}

export type DatasetState =
  | { state: 'absent' }
  | { state: 'downloading'; receivedBytes: number; totalBytes: number }
  /** The person's images are being read. */
  | { state: 'reading'; done: number; total: number }
  /** `notSaved`: why it has to be fetched again after a reload. */
  | { state: 'ready'; notSaved?: FailureValue }
  | { state: 'failed'; error: FailureValue };

export interface DatasetEntry {
  name: string;
  title: string;
  description: string;
  licence: string;
  shape: Shape;
  classes: string[];
  counts: { train: number; test: number };
  /** The default augmentation of its training images. */
  augmentation: Augmentation;
  /** Download size: of the files as published, or of the archive that holds them. */
  bytes: number;
  /** File names as published, for people who drop them onto the page. */
  files: string[];
  /** The archive that may be dropped instead. */
  archive?: string;
  /** The page that publishes it, where browsers cannot download it and people have to. */
  source?: string;
  shipped: boolean;
  /** True for the set of the person's own images, see `takeOwn`; before any import it has no classes. */
  own: boolean;
  status: DatasetState;
}

export interface Samples {
  /** count x C x H x W bytes. */
  images: Uint8Array;
  labels: Uint8Array;
  shape: Shape;
}

/** A file that was dropped or chosen, with the folders it lay in: "pets/cats/1.png". */
export interface GivenFile {
  path: string;
  file: File;
}

export interface OwnRequest {
  /** Images, in one folder per class, or zip archives of such folders. */
  files: GivenFile[];
  /** For people: what was dropped. */
  from: string;
  /** [C, H, W] of the images to make: C of 1 (grey) or 3, H = W. */
  shape: Shape;
}

export interface OwnReport {
  counts: { name: string; images: number }[];
  /** Skipped files, each with a reason that reads on from the path; at most 100. */
  skipped: { path: string; reason: string }[];
  /** How many more there were. */
  more: number;
}

export interface StepAugmentation {
  augmentation: Augmentation;
  seed: number;
  step: number;
}

export interface DataApi {
  /** Makes a data set ready: from the page's own files, from storage, or by download. Progress comes as events. */
  fetchDataset(name: string): Promise<Result<void>>;
  cancelDownload(name: string): Promise<void>;
  /** Takes a data set's files as the user dropped them; all four in any order, gzipped or not. */
  importDataset(name: string, files: File[]): Promise<Result<void>>;
  /**
   * Makes a data set of the person's images, which replaces the one before, and keeps it. `catalogue` then lists it;
   * `cancelDownload` stops it.
   */
  takeOwn(request: OwnRequest): Promise<Result<OwnReport>>;
  removeDataset(name: string): Promise<Result<void>>;
  /**
   * The first `count` training images, to look at: unchanged, or augmented as in step `step` (from 0) of a run with this
   * seed.
   */
  samples(name: string, count: number, augmented?: StepAugmentation): Promise<Result<Samples>>;
}

export interface DatasetEvent {
  type: 'dataset';
  name: string;
  status: DatasetState;
}
