/** The texts of the dialogs that export and import networks. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const exchange = inLanguage('exchange', {
  export: {
    title: 'Export the model',
    explanation: 'The network with its weights, as a file for other programs. Nothing leaves your device.',
    nothing: 'Nothing to export',
    weights: 'Weights',
    normaliseTitle: 'The network then expects pixels from 0 to 1. For ONNX and TensorFlow.js.',
    normalise: 'Normalise images inside the network',
    foldTitle: 'Fewer layers, the same predictions. The file cannot be trained further.',
    fold: 'Fold batch norm into other layers',
    reading: 'Reading the weights…',
    about: (model: string, parameters: number, bytes: string, step?: number) =>
      `${model}, ${count(parameters)} parameters, about ${bytes}, ` +
      (step === undefined ? 'initial weights' : `after ${many(step, { one: 'step', other: 'steps' })}`),
    isWritten: 'The file is being written.',
    writing: 'Writing…',
    download: 'Download',
    misfit: (format: string) => `${format} cannot represent this network`,
  },
  import: {
    title: (file: string) => `Import ${file}`,
    explanation:
      'A network from another program, read on your device. Each choice below also saves it among your runs.',
    noNetwork: 'There is no network yet.',
    stopFirst: 'Stop the current run first.',
    predict: 'Predict',
    build: 'Open in Build',
    trainTitle: 'Start a run from these weights',
    train: 'Train further',
    failed: 'Not imported',
    model: 'Model',
    anyModel: 'Whichever fits',
    inferred: 'Inferred from the weights',
    assumed: {
      title: 'Assumed',
      hint: 'The file holds only weights, and their shapes do not show the following. Compare it with the code that they come from.',
      fields: {
        input: { label: 'Images', hint: 'Channels, height and width.' },
        activation: { label: 'Activation', hint: 'After every layer with weights but the last.' },
        pooling: { label: 'Pooling', hint: 'The largest value of each window, or the mean.' },
        window: { label: 'Pooling window', hint: 'Its size and stride.' },
        pools: { label: 'Pooling after', hint: 'Names of convolutions, or none.' },
        strides: { label: 'Strides', hint: 'Of each convolution.' },
        paddings: { label: 'Padding', hint: 'Of each convolution.' },
        groups: {
          label: 'Groups of channels',
          hint: 'Of each norm without statistics: 1 takes all channels together.',
        },
        flatten: { label: 'Order of values', hint: 'What the first fully connected layer reads.' },
        normalisation: { label: 'Normalisation', hint: 'Mean and standard deviation of pixels from 0 to 1.' },
      },
      words: {
        none: 'none',
        max: 'maximum',
        avg: 'mean',
        chw: 'channels, rows, columns (PyTorch)',
        hwc: 'rows, columns, channels (TensorFlow)',
        mean: 'the mean of each channel',
      } as Readonly<Record<string, string>>,
    },
    check: {
      dataset: 'Check on',
      start: 'Check accuracy',
      busy: 'It is being checked.',
      none: 'No data set here has such images and as many classes, so the accuracy cannot be checked.',
      result: (accuracy: string, images: number) => `${accuracy} of ${count(images)} test images are right.`,
      failed: 'Not checked',
    },
    reading: 'Reading…',
    about: (input: string, classes: number, layers: number, parameters: number) =>
      `: images of ${input}, ${count(classes)} classes, ${layers} layers, ${count(parameters)} parameters.`,
    taken: (taken: number, all: number) =>
      `${count(taken)} of ${count(all)} tensors of the model are in the file.`,
    tensors: 'The tensors',
    tensor: 'Tensor',
    inModel: 'In the model',
    inFile: 'In the file',
    status: 'Status',
    statusOf: {
      taken: 'loaded',
      'other shape': 'other shape: initial values',
      missing: 'not in the file: initial values',
      'not in the model': 'not in the model: ignored',
    },
    layers: 'The layers',
    layer: 'Layer',
    kind: 'Kind',
    output: 'Output',
    parameters: 'Parameters',
  },
  notSaved: 'The network could not be saved.',
  imported: (model: string) => `${model} imported. Undo to restore the previous model.`,
});
