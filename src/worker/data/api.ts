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
  /** Own pictures being made into a data set. */
  | { state: 'reading'; done: number; total: number }
  /** `notKept` says why it has to be fetched again after a reload. */
  | { state: 'ready'; notKept?: FailureValue }
  | { state: 'failed'; error: FailureValue };

export interface DatasetEntry {
  name: string;
  title: string;
  description: string;
  licence: string;
  shape: Shape;
  classes: string[];
  counts: { train: number; test: number };
  /** How its training images are varied unless somebody says otherwise. */
  augmentation: Augmentation;
  /** What has to be fetched: the files as published, or the archive that they come in. */
  bytes: number;
  /** File names as published, for people who drop them onto the page. */
  files: string[];
  /** The archive that may be dropped instead. */
  archive?: string;
  /** The page that publishes it, where browsers cannot fetch it and people have to. */
  source?: string;
  shipped: boolean;
  /** True for the set that people make of pictures of their own: see `takeOwn`. Before that it has no classes. */
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
  /** Pictures in a folder for each class, or zip archives of such folders. */
  files: GivenFile[];
  /** For people: what was dropped. */
  from: string;
  /** [C, H, W] of the images to make: C of 1 (grey) or 3, H = W. */
  shape: Shape;
}

export interface OwnReport {
  counts: { name: string; images: number }[];
  /** What was left out, with reasons in words that follow the path; at most 100. */
  skipped: { path: string; reason: string }[];
  /** How many more there were. */
  more: number;
}

export interface Varied {
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
   * Makes a person's own pictures a data set, in place of the one before, and keeps it. `catalogue` tells of it then;
   * `cancelDownload` stops it.
   */
  takeOwn(request: OwnRequest): Promise<Result<OwnReport>>;
  removeDataset(name: string): Promise<Result<void>>;
  /**
   * The first `count` training images, for a look at the data: as they are, or as a batch of them comes to the network
   * in step `step` (from 0) of a run with this seed.
   */
  samples(name: string, count: number, varied?: Varied): Promise<Result<Samples>>;
}

export interface DatasetEvent {
  type: 'dataset';
  name: string;
  status: DatasetState;
}
