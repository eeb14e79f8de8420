import { defineConfig } from 'vite';

/** The command line as one file, for machines with nothing but Node and the package `webgpu`. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist-cli',
    target: 'node20',
    minify: false,
    rollupOptions: { external: ['webgpu'], output: { entryFileNames: 'wgrad.mjs', codeSplitting: false } },
  },
  ssr: { noExternal: true },
});
