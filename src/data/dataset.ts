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

export type FileRole = 'train-images' | 'train-labels' | 'test-images' | 'test-labels';

/** One published file of a data set. */
export interface DatasetFile {
  role: FileRole;
  /** As published, with `.gz`. */
  name: string;
  bytes: number;
  /** Hexadecimal, of the file as published (compressed). */
  sha256: string;
  /**
   * Of the file unpacked, where it is known. Web servers that send a .gz file as "Content-Encoding: gzip" make the browser
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
  counts: { train: number; test: number };
  files: readonly DatasetFile[];
  /** Addresses of folders that hold the files and let browsers fetch them, best first; none if the page ships the set. */
  mirrors: readonly string[];
  /** True if the page ships the files in public/datasets/<name>. */
  shipped: boolean;
}
