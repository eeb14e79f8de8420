import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bareShaders } from './scripts/build/bare-shaders.ts';
import { smallFirstLoad } from './scripts/build/first-load.ts';
import { offline } from './scripts/build/offline.ts';

const firstLoad = smallFirstLoad();

export default defineConfig({
  base: './',
  plugins: [react(), firstLoad.page, offline()],
  worker: {
    format: 'es',
    plugins: () => [bareShaders(), firstLoad.worker],
    // What the worker begins with is one script, instead of some that its parts could share: it is there sooner.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'main', tags: ['$initial'] }] } } },
  },
  // Not the pages of bench/, whose libraries are installed there alone.
  optimizeDeps: { entries: ['index.html'] },
  // Browsers with WebGPU know modulepreload.
  build: { target: 'es2023', modulePreload: { polyfill: false } },
  server: { port: 5173 },
  preview: { port: 4173 },
});
