/** Data sets, and the user's own images: types only. */
import type { Augmentation } from '../../base/augmentation.ts';
import type { Ground } from '../../base/pixels/ground.ts';
import type { ImageTarget, Prepared } from '../../base/pixels/prepare.ts';
import type { FailureValue } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import type { PartRole } from '../../data/own/splits.ts';
import type { Corrections } from '../../data/own/understand.ts';

declare module '../api.ts' {
  interface Parts {
    data: { calls: DataApi; events: DatasetEvent };
  }
}

export type DatasetState =
  | { state: 'absent' }
  /** `soon`: it is all but here; a run can be started, and waits for it. */
  | { state: 'downloading'; receivedBytes: number; totalBytes: number; soon?: boolean }
  /** The user's images are being read. */
  | { state: 'reading'; done: number; total: number }
  /** `notSaved`: why it must be fetched again after a reload. */
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
  /** What its grey images have their objects on, if they agree. */
  ground?: Ground | undefined;
  /** Its images are digits in the size and place of MNIST's. */
  fitted?: boolean;
  /** The default augmentation of its training images. */
  augmentation: Augmentation;
  /** Download size: of the published files, or of the archive that contains them. */
  bytes: number;
  /** Published file names, for users who drop them onto the page. */
  files: string[];
  /** The archive that may be dropped instead. */
  archive?: string;
  /** The page that publishes it, if browsers cannot fetch it and users must download it. */
  source?: string;
  shipped: boolean;
  /** True for the set of the user's own images, see `takeOwn`; before any import it has no classes. */
  own: boolean;
  status: DatasetState;
}

export interface ImageSamples {
  /** count x C x H x W bytes. */
  images: Uint8Array;
  labels: Uint8Array;
  shape: Shape;
}

/** A dropped or chosen file, with its folders: "pets/cats/1.png". */
export interface GivenFile {
  path: string;
  file: File;
}

/** @see Corrections of src/data/own/understand.ts */
export interface OwnRequest extends Corrections {
  /** Images, in one folder per class, or zip archives of such folders. */
  files: GivenFile[];
  /** For display: what was dropped. */
  from: string;
  /** [C, H, W] of the resulting images: C of 1 (grey) or 3, H = W. */
  shape: Shape;
}

/** One way to understand given files: see `SetReading` of src/data/own/reading.ts. */
export interface FoundReading {
  id: string;
  labelsFrom: string;
  assumed?: string;
  classes: readonly string[];
  /** `images` counts those of each class. */
  parts: { name: string; role: PartRole; images: number[]; unlabelled: number }[];
}

/** What given files are as a data set, before it is made. */
export interface FoundSet {
  readings: FoundReading[];
  /** Whether a person must choose between them. */
  isQuestion: boolean;
  /** Some images of the first reading, or of the chosen one. */
  samples: ImageSamples;
  /** Whether all of these are grey. */
  isGrey: boolean;
  skipped: number;
}

export interface OwnReport {
  counts: { name: string; images: number }[];
  /** Skipped files, each with a reason that completes a sentence after the path; at most 100. */
  skipped: { path: string; reason: string }[];
  /** The number of further skipped files. */
  more: number;
}

export interface StepAugmentation {
  augmentation: Augmentation;
  seed: number;
  step: number;
}

/** Which images of a data set to list. */
export interface ImageQuery {
  dataset: string;
  split: 'train' | 'test';
  /** Only images of this class. */
  label?: number;
  /** The requested part of the list. */
  first: number;
  count: number;
  /** As the network gets them in a step of training, instead of unchanged. */
  augmented?: StepAugmentation;
}

export interface ImagePage extends ImageSamples {
  /** Names of the classes of these images: a newer set's than the page's entry may have. */
  classes: readonly string[];
  /** The length of the whole list. */
  total: number;
  /** How many images each class has in this split. */
  perClass: number[];
  /** Of the images in their split. */
  indices: Uint32Array;
}

/** What takes space in the browser's storage. */
export interface StorageUse {
  /** Saved data sets. */
  datasets: { name: string; bytes: number }[];
  /** Of everything that this page has saved, and the limit that the browser sets, where it says so. */
  usage?: number;
  quota?: number;
}

export interface DataApi {
  /** Obtains a data set from the page's files, from storage, or by download. Progress is reported by events. */
  fetchDataset(name: string): void;
  cancelDownload(name: string): void;
  /** Imports a data set's files as the user dropped them, in any order, gzipped or not. */
  importDataset(name: string, files: File[]): void;
  /**
   * What these files are as a data set; `labels` chooses the reading of the samples. Nothing is kept.
   */
  understand(request: Pick<OwnRequest, 'files' | 'from' | 'labels'>): FoundSet;
  /**
   * Makes and saves a data set of the user's images, which replaces the one before. `catalogue` then lists it;
   * `cancelDownload` stops it.
   */
  takeOwn(request: OwnRequest): OwnReport;
  /** A picture's file as a network's image. Fails with `bad-file` and a reason that completes a sentence after "it". */
  prepare(file: Blob, target: ImageTarget): Prepared;
  removeDataset(name: string): void;
  /**
   * The first `count` training images, for display: unchanged, or augmented as in step `step` (from 0) of a run with
   * this seed.
   */
  samples(name: string, count: number, augmented?: StepAugmentation): ImageSamples;
  /** A part of a data set's images, at most 256. */
  images(query: ImageQuery): ImagePage;
  storage(): StorageUse;
}

export interface DatasetEvent {
  type: 'dataset';
  name: string;
  status: DatasetState;
}
