/** The texts of the dialogs that export and import networks. */
import { formsOf } from '../forms.ts';

const { count, many } = formsOf('en');

const english = {
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
};

export type ExchangeTexts = typeof english;

export default english;
