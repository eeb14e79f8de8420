import type { Augmentation } from '../base/augmentation.ts';
import type { Ground } from '../base/pixels/ground.ts';
import type { Shape } from '../base/shape.ts';

/** Labelled images as bytes, as in the files. */
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
  /** What the objects of at least 90 % of its training images lie on; undefined if that differs, and for colours. */
  ground?: Ground | undefined;
  train: ImageSet;
  /** Held back from the training images, to choose by. */
  validation?: ImageSet;
  test?: ImageSet;
  /** All training images, if `train` has only some of them or other labels; see select.ts. */
  all?: ImageSet;
}

/**
 * The role of a file in a data set, which determines its format: images or labels alone are IDX; a batch holds records
 * of both, like CIFAR-10's binary version. All files of a set have one format; batches are ordered by their numbers.
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
  /** SHA-256 of the published file, hexadecimal. */
  sha256: string;
  /**
   * SHA-256 of the unpacked file, if it is published compressed and the checksum is known. Web servers that send a .gz
   * file as "Content-Encoding: gzip" make the browser unpack it, and users drop unpacked files; without this, only
   * their sizes can be checked.
   */
  unpackedSha256?: string;
}

/** The description of a data set, known before it is downloaded. */
export interface DatasetInfo {
  name: string;
  /** For display: "Fashion-MNIST". */
  title: string;
  /** One sentence about the images. */
  description: string;
  licence: string;
  /** [C, H, W] of one image. */
  shape: Shape;
  classes: readonly string[];
  mean: readonly number[];
  std: readonly number[];
  /** What the objects of at least 90 % of its training images lie on; undefined if that differs, and for colours. */
  ground?: Ground | undefined;
  /** Its images are digits, all in the size and place of MNIST's. */
  fitted?: boolean;
  /** The default augmentation of training images. Absent: none. */
  augmentation?: Augmentation;
  counts: { train: number; test: number };
  files: readonly DatasetFile[];
  /** The gzipped tar file that contains them in a folder, if they are not published separately. */
  archive?: { name: string; bytes: number; folder: string };
  /** Published files without images, which may be given with the others. */
  extras?: readonly string[];
  /** The page that publishes the set, if users must download it themselves. */
  source?: string;
  /**
   * URLs of folders from which browsers may fetch the files, best first; none if the page ships the set, or if users
   * must provide it.
   */
  mirrors: readonly string[];
  /** True if the page ships the files in public/datasets/<name>. */
  shipped: boolean;
}
