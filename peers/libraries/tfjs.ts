/** TensorFlow.js, for benchmarks and tests outside of this folder, which only here is installed. */
export * as tf from '@tensorflow/tfjs-core';
export * as layers from '@tensorflow/tfjs-layers';
