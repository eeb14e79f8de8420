/**
 * The metrics of a run, each described once. Rows of events, curves and their charts, saved records, metrics.csv and
 * the command line's JSON lines follow from these two tables.
 */

/** The kind of a value, which determines how it is formatted. */
export type Unit = 'loss' | 'share' | 'number';

export interface Metric {
  /** Its name in rows, curves and saved records. */
  readonly key: string;
  /** For display, in sentence case. */
  readonly title: string;
  /** A share is from 0 to 1. */
  readonly unit: Unit;
  /** Its column in metrics.csv. Absent: not exported. */
  readonly csv?: string;
  /** Its key in the command line's JSON lines. Absent: not printed. */
  readonly json?: string;
}

export interface StepMetric extends Metric {
  /** One value per layer with parameters, in columns `key.layer`. */
  readonly perLayer?: boolean;
  /** Needs additional dispatches: it is computed only in runs that enable it. */
  readonly optional?: boolean;
  /** How a point of the curve combines its steps. Absent: there is no curve. */
  readonly merge?: 'mean' | 'last';
  /** A moving average is computed too. */
  readonly smoothed?: boolean;
  /** The smallest and the largest value of each point's steps are recorded too. */
  readonly band?: boolean;
  /** How the page draws it. */
  readonly chart?: Chart;
}

export interface Chart {
  readonly size: 'large' | 'small';
  /** The line's name in the readout, if there is no moving average. */
  readonly line?: string;
  /** A few everyday words beside its title. @param classes of the data set */
  readonly subtitle?: (classes: number) => string;
  /** The metric of evaluations that is drawn as points on the same axis. */
  readonly evaluation?: 'testLoss' | 'testAccuracy';
  /** The position of the epochs' numbers, away from the curve. */
  readonly epochsAt: 'top' | 'bottom';
  /** Ways to draw the vertical axis; the first is the default. */
  readonly scales: readonly Scale[];
  /** The name of the choice, if there are several scales. */
  readonly choice?: string;
  /** The first and the last steps are listed in a table below. */
  readonly table?: boolean;
}

export interface Scale {
  readonly label: string;
  readonly logarithmic?: boolean;
  /** Lowest and highest value. Absent: fits the data, from 0. */
  readonly range?: readonly [low: number, high: number];
}

const LINEAR: Scale = { label: 'Linear' };
const LOG: Scale = { label: 'Log', logarithmic: true };

/** Of a training step. */
export const STEP_METRICS = [
  {
    key: 'loss',
    title: 'Loss',
    unit: 'loss',
    csv: 'loss',
    json: 'loss',
    merge: 'mean',
    smoothed: true,
    band: true,
    chart: {
      size: 'large',
      subtitle: (classes) =>
        `how wrong it is: ${Number(Math.log(classes).toPrecision(2))} is guessing, 0 is perfect`,
      evaluation: 'testLoss',
      epochsAt: 'top',
      scales: [LINEAR, LOG],
      choice: 'Loss scale',
      table: true,
    },
  },
  {
    key: 'accuracy',
    title: 'Accuracy',
    unit: 'share',
    csv: 'accuracy',
    merge: 'mean',
    smoothed: true,
    chart: {
      size: 'large',
      subtitle: () => 'right out of 100',
      evaluation: 'testAccuracy',
      epochsAt: 'bottom',
      scales: [
        { label: '0–100 %', range: [0, 1] },
        { label: '90–100 %', range: [0.9, 1] },
      ],
      choice: 'Accuracy range',
      table: true,
    },
  },
  { key: 'imagesPerSecond', title: 'Images per second', unit: 'number' },
  {
    key: 'learningRate',
    title: 'Learning rate',
    unit: 'number',
    csv: 'learning_rate',
    merge: 'last',
    chart: { size: 'small', line: 'rate', epochsAt: 'top', scales: [LINEAR] },
  },
  {
    key: 'gradientNorm',
    title: 'Gradient norm',
    unit: 'number',
    csv: 'gradient_norm',
    optional: true,
    merge: 'mean',
    chart: { size: 'small', line: 'norm', epochsAt: 'top', scales: [LINEAR] },
  },
  {
    key: 'updateRatio',
    title: 'Update-to-weight ratio',
    unit: 'number',
    csv: 'update_ratio',
    perLayer: true,
    optional: true,
    merge: 'mean',
    chart: { size: 'small', epochsAt: 'top', scales: [LOG] },
  },
] as const satisfies readonly StepMetric[];

/** Of an evaluation. */
export const EVALUATION_METRICS = [
  // The mean over the epoch's steps, each before its update. Absent between two epochs.
  {
    key: 'trainLoss',
    title: 'Training loss',
    unit: 'loss',
    csv: 'train_loss',
    json: 'train_loss',
    optional: true,
  },
  { key: 'testLoss', title: 'Test loss', unit: 'loss', csv: 'test_loss', json: 'test_loss' },
  { key: 'testAccuracy', title: 'Test accuracy', unit: 'share', csv: 'test_accuracy', json: 'test_accuracy' },
  // Of a run that holds images back.
  {
    key: 'validationLoss',
    title: 'Validation loss',
    unit: 'loss',
    csv: 'validation_loss',
    json: 'validation_loss',
    optional: true,
  },
  {
    key: 'validationAccuracy',
    title: 'Validation accuracy',
    unit: 'share',
    csv: 'validation_accuracy',
    json: 'validation_accuracy',
    optional: true,
  },
] as const satisfies readonly (Metric & { optional?: boolean })[];

type InStep = (typeof STEP_METRICS)[number];
type InEvaluation = (typeof EVALUATION_METRICS)[number];
type LayerMetric = Extract<InStep, { perLayer: true }>;
type WithCurve = Extract<InStep, { merge: string }>;

/** Metrics that a run computes only if enabled. */
export type OptionalMetric = Extract<InStep, { optional: true }>['key'];
/** A value of one layer: "updateRatio.conv1". */
export type LayerColumn = `${LayerMetric['key']}.${string}`;
/** One value per step. */
export type StepKey = Exclude<InStep, LayerMetric>['key'];
/** A metric with a curve. */
export type CurveKey = Exclude<WithCurve, LayerMetric>['key'];
/** A metric with a moving average. */
export type SmoothedKey = Extract<InStep, { smoothed: true }>['key'];
/** That moving average. */
export type SmoothKey = `smooth${Capitalize<SmoothedKey>}`;
/** The smallest and the largest value of each point. */
export type BandKey = `${'low' | 'high'}${Capitalize<Extract<InStep, { band: true }>['key']>}`;
export type EvaluationKey = InEvaluation['key'];
export type OptionalEvaluationKey = Extract<InEvaluation, { optional: true }>['key'];

export const smoothKey = (key: string) => `smooth${capitalised(key)}` as SmoothKey;
export const bandKeys = (key: string) =>
  [`low${capitalised(key)}`, `high${capitalised(key)}`] as [low: BandKey, high: BandKey];

const capitalised = (key: string) => key[0].toUpperCase() + key.slice(1);

/** The same tables, for iteration. */
export const stepMetrics: readonly StepMetric[] = STEP_METRICS;
export const evaluationMetrics: readonly (Metric & { optional?: boolean })[] = EVALUATION_METRICS;
