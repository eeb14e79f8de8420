/** TensorFlow.js's WebAssembly backend, with the addresses of its files: it takes the one that suits the browser. */
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import { env } from '@tensorflow/tfjs-core';

// One thread: its others run the text of a function that needs a variable beside it, which minifying renames
// (https://github.com/tensorflow/tfjs/blob/tfjs-v4.22.0/tfjs-backend-wasm/src/backend_wasm.ts, _scriptDir).
env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
setWasmPaths({
  'tfjs-backend-wasm-simd.wasm': simd,
  'tfjs-backend-wasm.wasm': plain,
  // Required, and never fetched.
  'tfjs-backend-wasm-threaded-simd.wasm': simd,
});
