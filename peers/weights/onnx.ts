/** The network with its weights as an ONNX file. */
import { toOnnx } from '../../src/exchange/onnx/write.ts';
import leNet from '../../src/models/lenet5.ts';
import type { ContenderTask } from '../contender.ts';

export const onnxOf = (parameters: ContenderTask['weights']): Uint8Array =>
  toOnnx({ model: leNet, parameters, info: {} });
