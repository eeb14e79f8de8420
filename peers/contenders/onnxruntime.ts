/** LeNet in ONNX Runtime Web, which computes what an ONNX file says. It cannot train. */
import { softmax } from '../../src/base/softmax.ts';
import type { Contender } from '../contender.ts';
import { onnxOf } from '../weights/onnx.ts';

/** On WebGPU with channels first: with channels last, its default, version 1.30 errs in the third digit on SwiftShader. */
const PROVIDERS = { webgpu: { name: 'webgpu', preferredLayout: 'NCHW' }, wasm: 'wasm' } as const;

const onnxruntime: Contender = {
  async open(backend, { weights }) {
    if (backend !== 'webgpu' && backend !== 'wasm') throw new Error(`ONNX Runtime has no backend ${backend}`);
    const ort = await (backend === 'webgpu'
      ? import('onnxruntime-web/webgpu')
      : import('onnxruntime-web/wasm'));
    const session = await ort.InferenceSession.create(onnxOf(weights), {
      executionProviders: [PROVIDERS[backend]],
    });
    return {
      async infer(image) {
        const pixels = Float32Array.from(image, (byte) => byte / 255);
        const { logits } = await session.run({ images: new ort.Tensor(pixels, [1, 1, 28, 28]) });
        return softmax((await logits.getData()) as Float32Array);
      },
    };
  },
};

export default onnxruntime;
