/** TensorFlow.js's WebAssembly backend, with the addresses of its files: it takes the one that suits the machine. */
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import { env } from '@tensorflow/tfjs-core';

// One thread: its others run the text of a function that needs a variable beside it, which minifying renames
// (https://github.com/tensorflow/tfjs/blob/tfjs-v4.22.0/tfjs-backend-wasm/src/backend_wasm.ts, _scriptDir).
env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);

/** In Node, files of the package. */
async function pathOf(file: string, url: string): Promise<string> {
  if (!import.meta.env.SSR) return url;
  const { packageFile } = await import('./node.ts');
  return packageFile(`@tensorflow/tfjs-backend-wasm/dist/${file}`);
}

const paths = {
  'tfjs-backend-wasm-simd.wasm': await pathOf('tfjs-backend-wasm-simd.wasm', simd),
  'tfjs-backend-wasm.wasm': await pathOf('tfjs-backend-wasm.wasm', plain),
};
// The threaded one is required, and never fetched.
setWasmPaths({ ...paths, 'tfjs-backend-wasm-threaded-simd.wasm': paths['tfjs-backend-wasm-simd.wasm'] });
