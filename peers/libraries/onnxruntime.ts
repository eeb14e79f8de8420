/** ONNX Runtime Web, for tests outside of this folder. */
export * as ort from 'onnxruntime-web';
