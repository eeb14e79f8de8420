import { defineConfig } from 'vite';

/**
 * The command line as one file, for machines with nothing but Node and the package `webgpu`. The frameworks race also takes
 * the packages `onnxruntime-web` and `@tensorflow/tfjs-backend-wasm`, whose WebAssembly lies beside their code.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist-cli',
    target: 'node20',
    minify: false,
    rollupOptions: {
      external: ['webgpu', /^onnxruntime-web/],
      output: { entryFileNames: 'wgrad.mjs', codeSplitting: false },
    },
  },
  ssr: { noExternal: true },
});
