import type { Augmentation } from '../base/augmentation.ts';
import type { Shape } from '../base/shape.ts';

/** Labelled images as bytes, the way the files have them. */
export interface ImageSet {
  /** count x C x H x W bytes, channel planes. */
  images: Uint8Array;
  /** count bytes, each below the number of classes. */
  labels: Uint8Array;
  count: number;
}

/** A data set in memory. */
export interface Dataset {
  name: string;
  /** [C, H, W] of one image. */
  shape: Shape;
  classes: readonly string[];
  /** Per channel, of pixels scaled to [0, 1]. */
  mean: readonly number[];
  std: readonly number[];
  train: ImageSet;
  test?: ImageSet;
}

/**
 * Which of a data set's files one is, and with that its format: images or labels alone are IDX; a batch holds records of
 * both, like CIFAR-10's binary version. A set's files are of one kind; batches make up a set in the order of their numbers.
 */
export type FileRole =
  | 'train-images'
  | 'train-labels'
  | 'test-images'
  | 'test-labels'
  | `train-batch-${1 | 2 | 3 | 4 | 5}`
  | 'test-batch';

/** One published file of a data set. */
export interface DatasetFile {
  role: FileRole;
  /** As published, with `.gz` if it is compressed. */
  name: string;
  bytes: number;
  /** Hexadecimal, of the file as published. */
  sha256: string;
  /**
   * Of the file unpacked, where it is published compressed and this is known. Web servers that send a .gz file as "Content-Encoding: gzip" make the browser
   * unpack it, and people drop unpacked files; without this, only their sizes can be checked.
   */
  unpackedSha256?: string;
}

/** What is known of a data set before any of it is here. */
export interface DatasetInfo {
  name: string;
  /** For people: "Fashion-MNIST". */
  title: string;
  /** One sentence on what the images are. */
  description: string;
  licence: string;
  /** [C, H, W] of one image. */
  shape: Shape;
  classes: readonly string[];
  mean: readonly number[];
  std: readonly number[];
  /** The default augmentation of training images. Absent: none. */
  augmentation?: Augmentation;
  counts: { train: number; test: number };
  files: readonly DatasetFile[];
  /** The gzipped tar file in which they are published, in a folder, if not singly. */
  archive?: { name: string; bytes: number; folder: string };
  /** The address of the page that publishes the set, where people have to get it themselves. */
  source?: string;
  /**
   * Addresses of folders that hold the files and let browsers fetch them, best first; none if the page ships the set, or
   * if people have to bring it.
   */
  mirrors: readonly string[];
  /** True if the page ships the files in public/datasets/<name>. */
  shipped: boolean;
}
