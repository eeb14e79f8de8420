/** The weights as TensorFlow.js has them. */
import * as tf from '@tensorflow/tfjs-core';
import type { ContenderTask } from '../contender.ts';

/** Filters K C R S become R S C K, matrices in x out; fc1 reads 5 x 5 x 16 here, where PyTorch has 16 x 5 x 5. */
export function tensorsOf(weights: ContenderTask['weights']): Record<string, tf.Tensor> {
  const convert = ([name, { shape, data }]: [
    string,
    { shape: readonly number[]; data: ArrayLike<number> },
  ]) =>
    tf.tidy(() => {
      const tensor = tf.tensor(Float32Array.from(data), [...shape]);
      if (shape.length === 1) return tensor;
      if (shape.length === 4) return tf.transpose(tensor, [2, 3, 1, 0]);
      if (name !== 'fc1.weight') return tf.transpose(tensor);
      const planes = tf.transpose(tf.reshape(tensor, [120, 16, 5, 5]), [2, 3, 1, 0]);
      return tf.reshape(planes, [400, 120]);
    });
  return Object.fromEntries([...weights].map((entry) => [entry[0], convert(entry)]));
}
