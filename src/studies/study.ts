/**
 * A study: a published comparison as data, and how to measure it again. Its figures are bars or tables; a run reports them
 * line by line, so that the page, the command line and files show the same.
 */
import type { Device } from '../gpu/device.ts';

/** Where a comparison was published. What it does not state is undefined. */
export interface Source {
  title: string;
  /** "Bachelor's thesis", "Course project". */
  kind: string;
  authors: string | undefined;
  /** "October 2019". */
  date: string | undefined;
  /** The hardware and libraries that its numbers are of. */
  hardware: string | undefined;
  /** Whether it has numbers, in a sentence: "Its times are charts without numbers." */
  numbers: string;
  /** Further reading that the study builds on. */
  further?: string;
}

/** A figure of the source, as it is printed there, digit for digit. */
export interface Published {
  /** "10,000 images, plain kernel, layer 1"; no two are alike. */
  what: string;
  /** "9.143" */
  value: string;
  /** "ms", "%", "times"; empty for counts, accuracies and errors. */
  unit: string;
}

/** A number of the source for a bar. */
export interface PublishedBar {
  /** Default: every case. */
  case?: string;
  bar: string;
  /** Time relative to the base's. */
  ratio: number;
  /** As it is printed: "9.68 times", "33.285 ms". */
  printed: string;
  /** What the number means, where it is not simply this bar: "the largest of its cases". */
  note?: string;
}

/** Times of several methods in several cases, each relative to one of them. */
export interface BarFigure {
  kind: 'bars';
  name: string;
  title: string;
  explanation: string;
  /** The bar whose time is 1 in every case. */
  base: string;
  /** In order. `look` is the name of the algorithm whose colour and pattern the bar has. */
  bars: readonly { name: string; look?: string }[];
  published?: readonly PublishedBar[];
}

export type Cell = string | number | null;

export interface FigureColumn {
  name: string;
  title: string;
  /** How its numbers are shown. Default: text. */
  unit?: 'text' | 'ms' | 'ratio' | 'loss' | 'percent' | 'bytes' | 'count' | 'error';
  /** The columns that tell rows apart. */
  key?: true;
  /** Its cells are the source's. */
  published?: true;
  /** Its cells are the quotients of two other columns'. */
  quotient?: readonly [dividend: string, divisor: string];
  /** Left out on a phone. */
  wide?: true;
}

export interface TableFigure {
  kind: 'table';
  name: string;
  title: string;
  explanation: string;
  columns: readonly FigureColumn[];
  /** A column: the largest first. Default: as they were reported. */
  sorted?: string;
  /** Rows that are there before anything is measured. A measured row with the same keys adds its cells. */
  given?: readonly Readonly<Record<string, Cell>>[];
}

export type Figure = BarFigure | TableFigure;

/** Milliseconds per call. */
export interface Time {
  median: number;
  p10: number;
  p90: number;
  samples: number;
  /** Calls in a row in each sample. */
  calls: number;
  clock: 'timestamps' | 'wall';
}

/** A time relative to the base's. From the fastest tenth over the base's slowest to the reverse. */
export interface Ratio {
  value: number;
  low: number;
  high: number;
}

/** A measured bar. */
export interface BarLine {
  figure: string;
  case: string;
  bar: string;
  time?: Time;
  ratio?: Ratio;
  /** What was measured: the launch of an algorithm. */
  detail?: string;
  /** Why there is no time. */
  missing?: string;
}

/** A row of a table. */
export interface RowLine {
  figure: string;
  cells: Readonly<Record<string, Cell>>;
}

export type Line = BarLine | RowLine;

export interface StudyContext {
  device: Device;
  /** The CPU engine was asked for: what compares several devices leaves the GPU out. */
  onlyCpu: boolean;
  /** Opens the CPU engine, to be measured beside the device; undefined where that is the device. To be destroyed. */
  openCpu: (() => Promise<Device>) | undefined;
  /** Few cases and samples: enough to see the study work. */
  small: boolean;
  /** What an earlier run of the study reported, if it `resumes`: it reports what is finished of it, and measures the rest. */
  known: readonly Line[];
  /** Aborted when the person stops it; `run` then throws Failure `cancelled`. */
  signal: AbortSignal;
  report(line: Line): void;
  /** Something that should have been measured could not be: the command then ends with a status other than 0. */
  undone(what: string): void;
  /** @param share 0 to 1 @param doing what happens now: "N 16, K 4, forward" */
  progress(share: number, doing: string): void;
}

/** What one part of a study consists of, to be read. */
export interface StudySource {
  name: string;
  /** What it does that the one before does not: a sentence. */
  explanation: string;
  language: 'TypeScript' | 'WGSL';
  text: string;
}

export interface Study {
  /** Its folder, its address and its name on the command line. */
  name: string;
  /** Place in the list. */
  order: number;
  title: string;
  /** In one or two words, for links. */
  short: string;
  /** What it asked, in a sentence. */
  question: string;
  /** What it did and found: a paragraph each. */
  summary: readonly string[];
  source: Source;
  /** What each size measures. */
  sizes: { small: string; full: string };
  /** How it is measured here: a sentence each. */
  method: readonly string[];
  figures: readonly Figure[];
  /** The figures of the source that its figures show or its texts speak of. */
  published: readonly Published[];
  /** The code that is compared, as it runs. */
  sources?(device: Device): Promise<StudySource[]>;
  /** It takes minutes, and a run that was stopped can be resumed. */
  resumes?: true;
  /** @throws Failure `cancelled` if the signal aborts */
  run(context: StudyContext): Promise<void>;
}

/** What there is to show of a study. */
export type StudyInfo = Omit<Study, 'run' | 'sources'> & { hasSources: boolean };

/** A line of a result's head, before anything is measured. */
export interface PublishedLine {
  published: Published;
}

/** The last line of a result: where and when the lines before it were measured. */
export interface StudyEnding {
  final: true;
  study: string;
  size: 'small' | 'full';
  /** False if it was stopped before its end. */
  complete: boolean;
  adapter: string;
  /** The browser, or Node. */
  runtime: string;
  /** ISO 8601. */
  date: string;
  seconds: number;
  lines: number;
}

/** A whole result. */
export interface StudyResult extends Omit<StudyEnding, 'final' | 'lines'> {
  lines: Line[];
}
