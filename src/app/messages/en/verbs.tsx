/** The names of what can be done on each screen, and what each does. */
import { inLanguage } from '../language.ts';

export const verbs = inLanguage('verbs', {
  undo: { name: 'Undo', title: 'Undo the last change of the model (Ctrl Z)' },
  redo: { name: 'Redo', title: 'Redo what was undone of the model (Ctrl Shift Z)' },
  bringToTrain: { name: 'Use in Train', title: 'Choose this model in Train (Ctrl Enter)' },
  openModel: {
    name: 'Open file…',
    title: 'A model of wgrad (.json), or a network from ONNX, PyTorch, TensorFlow.js or safetensors',
  },
  exportModel: {
    name: 'Export…',
    title: 'Save the network with its weights for ONNX, TensorFlow.js, Keras and others',
  },
  testImage: { name: 'Use a test image', title: 'Follow an image of the test set through the network' },
  predict: { name: 'Predict', title: 'Classify a set of images. Training pauses until it is done' },
  race: { name: 'Race', title: 'Benchmark every algorithm on one convolution' },
  suite: { name: 'Measure all', title: 'Benchmark the layers of a well-known network: presets' },
  map: { name: 'Measure the map', title: 'Find the fastest algorithm by channel count and image size' },
  ladder: { name: 'Run all steps', title: 'Benchmark the ladder from naive loops to a tuned kernel' },
  tune: { name: 'Tune all', title: 'Autotune: benchmark every convolution of the model' },
  kernel: { name: 'Run', title: 'Test the kernel of this lesson, then time it' },
  profile: { name: 'Profile a step', title: 'Measure where the time of a training step goes' },
  doctor: { name: 'Run checks', title: 'Doctor: check model, data and settings for common problems' },
  study: { name: 'Run here', title: 'Measure the study that is shown on this machine' },
  sweep: { name: 'Sweep', title: 'Train the same run with several learning rates and batch sizes' },
  trainSweep: { name: 'Train the sweep', title: 'Train every combination of learning rate and batch size' },
  importRuns: {
    name: 'Import',
    title: 'Import run archives (.zip), or a network from ONNX, PyTorch, TensorFlow.js or safetensors',
  },
});
