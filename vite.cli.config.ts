import { defineConfig } from 'vite';

/**
 * The command line as one file, for machines with nothing but Node and the package `webgpu`. The frameworks race also takes
 * `onnxruntime-web` and `@tensorflow/tfjs-backend-wasm` of ../peers/node_modules, whose WebAssembly lies beside their code.
 */
const ONNXRUNTIME = '../peers/node_modules/onnxruntime-web/dist';

export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist-cli',
    target: 'node20',
    minify: false,
    rollupOptions: {
      external: ['webgpu', /^onnxruntime-web/],
      output: {
        entryFileNames: 'wgrad.mjs',
        codeSplitting: false,
        paths: {
          'onnxruntime-web/webgpu': `${ONNXRUNTIME}/ort.webgpu.bundle.min.mjs`,
          'onnxruntime-web/wasm': `${ONNXRUNTIME}/ort.wasm.bundle.min.mjs`,
        },
      },
    },
  },
  ssr: { noExternal: true },
});
