/**
 * What a person can do on a screen, as data: its button reads it from here, and so does the command palette, which opens
 * the screen and presses the button. Small, because the palette loads all of it and no screen.
 */
import { hrefOf } from '../route.ts';
import type { Verb } from '../widgets/verbs.ts';

export const VERBS = {
  undo: {
    name: 'Undo',
    title: 'Undo the last change of the model (Ctrl Z)',
    icon: 'undo',
    at: hrefOf('build'),
  },
  redo: {
    name: 'Redo',
    title: 'Redo what was undone of the model (Ctrl Shift Z)',
    icon: 'redo',
    at: hrefOf('build'),
  },
  bringToTrain: {
    name: 'Use in Train',
    title: 'Choose this model in Train (Ctrl Enter)',
    icon: 'play',
    at: hrefOf('build'),
  },
  openModel: {
    name: 'Open file…',
    title: 'A model of wgrad (.json), or a network from ONNX, PyTorch, TensorFlow.js or safetensors',
    icon: 'upload',
    at: hrefOf('build'),
  },
  exportModel: {
    name: 'Export…',
    title: 'Save the network with its weights for ONNX, TensorFlow.js, Keras and others',
    icon: 'download',
    at: hrefOf('build'),
  },
  testImage: {
    name: 'Use a test image',
    title: 'Follow an image of the test set through the network',
    icon: 'image',
    at: hrefOf('inspect', 'image'),
  },
  predict: {
    name: 'Predict',
    title: 'Classify a set of images. Training pauses until it is done',
    icon: 'lens',
    at: hrefOf('inspect', 'predict'),
  },
  race: {
    name: 'Race',
    title: 'Benchmark every algorithm on one convolution',
    icon: 'flag',
    at: hrefOf('lab', 'race'),
  },
  suite: {
    name: 'Measure all',
    title: 'Benchmark the layers of a well-known network: presets',
    icon: 'flag',
    at: hrefOf('lab', 'presets'),
  },
  map: {
    name: 'Measure the map',
    title: 'Find the fastest algorithm by channel count and image size',
    icon: 'flag',
    at: hrefOf('lab', 'map'),
  },
  ladder: {
    name: 'Run all steps',
    title: 'Benchmark the ladder from naive loops to a tuned kernel',
    icon: 'flag',
    at: hrefOf('lab', 'ladder'),
  },
  tune: {
    name: 'Tune all',
    title: 'Autotune: benchmark every convolution of the model',
    icon: 'flag',
    at: hrefOf('lab', 'tune'),
  },
  profile: {
    name: 'Profile a step',
    title: 'Measure where the time of a training step goes',
    icon: 'gauge',
    at: hrefOf('profile'),
  },
  doctor: {
    name: 'Run checks',
    title: 'Doctor: check model, data and settings for common problems',
    icon: 'pulse',
    at: hrefOf('doctor'),
  },
  study: {
    name: 'Run here',
    title: 'Measure the study that is shown on this machine',
    icon: 'flag',
    at: hrefOf('studies'),
  },
  sweep: {
    name: 'Sweep',
    title: 'Train the same run with several learning rates and batch sizes',
    icon: 'blocks',
    at: hrefOf('runs'),
  },
  trainSweep: {
    name: 'Train the sweep',
    title: 'Train every combination of learning rate and batch size',
    icon: 'play',
    at: hrefOf('runs', 'sweep'),
  },
  importRuns: {
    name: 'Import',
    title: 'Import run archives (.zip), or a network from ONNX, PyTorch, TensorFlow.js or safetensors',
    icon: 'upload',
    at: hrefOf('runs'),
  },
} satisfies Record<string, Verb>;
