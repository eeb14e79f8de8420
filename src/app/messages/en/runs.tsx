/** The texts of Runs. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';
import { inLayers } from '../layers.ts';

const { count, many } = formsOf('en');

const forms = { one: 'run', other: 'runs' };

export const runs = inLanguage('runs', {
  title: 'Runs',
  explanation: inLayers(
    'Every run that was trained here. Look at one again, or continue it; select several to compare them.',
    'Runs are saved in this browser with settings, curves, checkpoints and weights.',
    'run',
  ),
  failed: 'Something went wrong',
  stopFirst: 'Stop the current run first.',
  step: (step: number) => `step ${count(step)}`,
  deleted: (what: string) => `${what} deleted`,
  several: (some: number) => many(some, forms),
  undo: 'Undo',
  list: {
    label: 'All runs',
    search: 'Search runs',
    placeholder: 'Search names, notes, models…',
    show: 'Show',
    kinds: {
      all: 'All runs',
      starred: 'Starred',
      open: 'Open in a tab',
      resumable: 'Can be resumed',
      failed: 'Failed',
      forks: 'Forks',
      imported: 'Imported networks',
      sweeps: 'From sweeps',
    },
    shown: (some: number, all: number) => `${some < all ? `${count(some)} of ` : ''}${many(all, forms)}`,
    loading: 'Loading runs…',
    none: (train: string) => (
      <>
        No runs yet. <a href={train}>Train a model</a> or import a run.
      </>
    ),
    noMatch: 'No run matches.',
    storage: 'Storage of runs',
    stored: (bytes: string, limit: string) =>
      `Runs use ${bytes} of ${limit}. When that is full, the oldest can no longer be resumed; starred ones still can.`,
    lost: 'Runs will be lost when you close this page',
    damaged: (damaged: number) =>
      damaged === 1 ? 'One run is damaged' : `${count(damaged)} runs are damaged`,
  },
  pane: {
    compared: (some: number) => `${many(some, forms)} compared`,
    aboutComparing:
      'Smoothed training loss and test accuracy. A fork, which continues another run with its weights, starts where it branched off.',
    sweep: 'Learning rate by batch size',
    aboutSweeps:
      'A sweep tries every combination of these learning rates and batch sizes, each as a run of its own.',
    imported: (model: string, file: string) => `${model}, imported from ${file}`,
    trained: (model: string, dataset: string) => `${model} on ${dataset}`,
    back: 'Back',
    close: 'Close',
  },
  bulk: {
    label: 'Selected runs',
    selected: (some: number) => `${count(some)} selected`,
    compare: 'Compare',
    exportEach: 'Export each',
    noCheckpoints: 'These runs have no checkpoints to delete.',
    freeTitle: 'Delete their checkpoints; curves and weights stay, but they cannot be resumed',
    free: 'Free space',
    delete: 'Delete selected',
    clearTitle: 'Select none; nothing is deleted',
    clear: 'Clear',
  },
  table: {
    caption: 'Saved runs, starred first',
    region: 'Table of runs',
    selected: 'Selected',
    selectAll: 'Select all runs shown',
    compare: (name: string) => `Compare ${name}`,
    star: 'Star',
    starRun: (name: string) => `Star ${name}`,
    run: 'Run',
    accuracy: 'Accuracy',
    last: (tests: number) => `last of ${count(tests)}`,
    aboutAccuracy: 'Accuracy on the test images in the last test, with the weights that are kept',
    time: 'Time',
    rate: 'Images/s',
    status: 'Status',
    started: 'Started',
    sameSettings: (before: string) => ` · same settings as ${before}`,
    forked: (origin: string) => ` · forked from ${origin}`,
    unlike: (before: string) => ` · unlike ${before}`,
  },
  imports: {
    label: 'Archives of runs, or networks',
    reading: 'Importing…',
    imported: (names: string) => `Imported: ${names}.`,
    failed: 'Import failed',
  },
  sweep: {
    label: 'Sweep',
    name: (rates: number, batches: number) => `Sweep of ${rates} × ${batches}`,
    rates: 'Learning rates',
    batches: 'Batch sizes',
    epochs: 'Epochs per run',
    notNumbers:
      'Learning rates and batch sizes are numbers above 0, with spaces between them, such as 0.001 0.01.',
    tooMany: (most: number) => `A sweep has at most ${many(most, forms)}.`,
    invalid: 'Some settings are invalid. Check Settings on the Train screen.',
    stop: 'Stop the sweep',
    train: (some: number) => `Train ${many(some, forms)}`,
    progress: (run: number, all: number) => `Run ${count(run)} of ${count(all)}`,
    about: (model: string, time?: string) =>
      `${model}; everything else as on the Train screen.${time === undefined ? '' : ` It takes about ${time}.`}`,
    ended: 'The sweep ended',
    caption: 'Best accuracy in any test, by learning rate (columns) and batch size (rows)',
    corner: 'Batch \\ rate',
    open: (name: string) => `Open ${name}`,
    best: (rate: number, batch: number, accuracy: string, validated: boolean) =>
      `Best: learning rate ${rate}, batch ${batch}, ${accuracy}. ${
        validated
          ? 'Chosen by the validation images; the accuracy is of the test images.'
          : 'Chosen by the test images, so this accuracy is a little too good to be true. Hold back validation images (Advanced settings) to choose by those.'
      }`,
    openBest: 'Open the best run',
    diverged: 'diverged',
  },
  details: {
    isOpen: 'This run is open: see Train.',
    resumeTitle: 'Continue from where it was last saved, exactly as if it had never stopped',
    resume: 'Resume',
    resumeFrom: (step: number) => `Resume from step ${count(step)}`,
    noWeights: 'No weights saved. Weights are saved while a run trains.',
    forkWithState: 'Start a new run with these settings, weights, and the state of the optimiser',
    forkTitle: 'Start a new run with these settings and weights',
    fork: 'Fork',
    forkFrom: (step: number) => `Fork from step ${count(step)}`,
    exportTitle: 'Download settings, metrics, model, weights and checkpoint as a zip',
    export: 'Export',
    exportModelTitle: 'Save the network with its weights for ONNX, TensorFlow.js, Keras and others',
    exportModel: 'Export model…',
    noneSaved: 'No weights saved.',
    predictTitle: 'Classify a test set or your own images with these weights',
    predict: 'Predict',
    shareTitle: 'A picture of this run, a link to its settings, or a card for another page',
    share: 'Share card',
    stopFirst: 'This run is open. Stop it first.',
    delete: 'Delete',
    differs: 'Differs from',
    name: 'Name',
    note: 'Note',
    addNote: 'Add a note…',
    confusion: 'Confusion matrix',
    settings: 'Settings',
    accuracy: 'Last test accuracy',
    testedOn: 'Tested on',
    best: (tests: number) => `Best of ${count(tests)} tests`,
    steps: 'Steps',
    epochs: 'Epochs',
    time: 'Time',
    rate: 'Images/s',
    storage: 'Storage',
    tests: (tests: number) => `Test results (${count(tests)})`,
    testsCaption: 'Results on the test set, the last twenty',
    algorithms: 'Convolution algorithms',
    algorithmsCaption: 'Which algorithm computed each convolution, by direction',
    layer: 'Layer',
  },
  /** Rows of the settings of runs. */
  differences: {
    model: 'Model',
    layers: 'Layers',
    builtIn: 'built-in',
    custom: (fingerprint: string) => `custom ${fingerprint}`,
    dataset: 'Data set',
    pinned: 'Pinned algorithms',
    pins: (layers: number) => many(layers, { one: 'layer', other: 'layers' }),
    none: 'none',
    after: (value: string, step: number) => `${value} after step ${count(step)}`,
  },
  compare: {
    axis: 'Horizontal axis',
    axes: { step: 'By step', epoch: 'By epoch', time: 'By time' },
    scale: 'Loss scale',
    scales: { linear: 'Linear', log: 'Log' },
    loss: 'Loss',
    accuracy: 'Test accuracy',
    last: 'last',
    atCursor: 'at the cursor',
    at: {
      step: (step: number) => `at step ${count(Math.round(step))}`,
      epoch: (epoch: number) => `in epoch ${epoch.toFixed(1)}`,
      time: (time: string) => `after ${time}`,
    },
    settings: 'Settings',
    different: 'Different settings',
    showAll: 'Show all',
    identical: 'All settings are identical.',
    compared: 'Settings compared',
    setting: 'Setting',
    confusion: 'Confusion matrix difference',
    change: (before: string, after: string) =>
      `Change in prediction counts from ${before} to ${after}, by true class (rows) and predicted class (columns). ` +
      'Blue is better, orange is worse.',
  },
});
