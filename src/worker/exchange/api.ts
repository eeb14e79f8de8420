/** Networks for other programs, and from them: types only. */
import type { Shape } from '../../base/shape.ts';
import type { AssumedTexts } from '../../exchange/inferred/assumptions.ts';
import type { MatchRow } from '../../models/file/match.ts';
import type { ModelChoice, ModelFile } from '../builder/api.ts';
import type { GivenFile } from '../data/api.ts';

declare module '../api.ts' {
  interface Parts {
    exchange: { calls: ExchangeApi; events: never };
  }
}

/** What is exported: a kept run, the open one as it is now, or a model with initial weights. */
export type ExportSource = { run: string } | { open: true } | { model: ModelFile };

/** A format that a network can be written in. */
export interface ExportFormatEntry {
  /** "onnx" */
  name: string;
  /** For display: "ONNX". */
  title: string;
  /** What it is for, as one sentence. */
  summary: string;
  /** The normalisation of images can be part of the network. */
  normalises: boolean;
}

/** What a source offers. */
export interface ExportOffer {
  formats: readonly ExportFormatEntry[];
  /** For display: "LeNet-5". */
  model: string;
  parameters: number;
  /** Its steps of training; undefined with initial weights. */
  step?: number;
  /** It has batch norm that can be folded into other layers. */
  folds: boolean;
  /** It is known how images are normalised. */
  normalised: boolean;
}

export interface ExportChoice {
  /** The name of a format. */
  format: string;
  /** Batch norm is folded into the layers before it, where the format is not for training on. */
  fold: boolean;
  /** The normalisation is part of the network. */
  normalise: boolean;
}

export interface Exported {
  /** A name for the file. Several files are one zip archive. */
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** What the format cannot carry over, one sentence each. */
  notes: readonly string[];
}

/** What shapes do not show: "activation", "relu", and what it can be otherwise, if that is a list. */
export interface AssumedField {
  name: keyof AssumedTexts;
  value: string;
  choices?: readonly string[] | undefined;
}

/** A network that was read from a file. */
export interface NetworkReport {
  /** By which the worker knows it, until it reads another one. */
  id: string;
  /** The file's name. */
  file: string;
  model: ModelFile;
  layers: readonly { name: string; op: string; output: Shape; parameters: number }[];
  /** Values in all parameters. */
  parameters: number;
  /** How tensors were found by name, where the file has no network of its own. */
  matches: readonly MatchRow[];
  /** What was assumed of a network that was inferred from names and shapes. */
  assumed?: readonly AssumedField[];
  /** What is different here, one sentence each. */
  notes: readonly string[];
}

export interface ExchangeApi {
  exportOffer(source: ExportSource): ExportOffer;
  exportNetwork(source: ExportSource, choice: ExportChoice): Exported;
  /**
   * Reads a network from files that were chosen together: one file, a model with its weights beside it, or a zip archive; and the log of
   * its training, if it is there.
   * The network is held until another one is read.
   * @param model the network of files that hold only weights; absent: one that fits them, or one that is inferred
   * @param assumed what is known of an inferred network: then no other is looked for
   */
  readNetwork(files: readonly GivenFile[], model?: ModelChoice, assumed?: AssumedTexts): NetworkReport;
  /** The share of a data set's test images that a network that was read classifies correctly. */
  checkNetwork(id: string, dataset: string): { accuracy: number; count: number };
  /** Keeps a network that was read as a run, of as many steps as its log. Returns the run's id. */
  keepNetwork(id: string): string;
}
