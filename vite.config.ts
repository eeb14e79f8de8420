import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bareSettings } from './scripts/vite/bare-settings.ts';
import { bareShaders } from './scripts/vite/bare-shaders.ts';
import { smallFirstLoad } from './scripts/vite/first-load.ts';
import { secured } from './scripts/vite/headers.ts';
import { licences } from './scripts/vite/licences.ts';
import { offline } from './scripts/vite/offline.ts';
import { peersOnDemand } from './scripts/vite/peers-on-demand.ts';
import { peersApart } from './scripts/vite/peers-apart.ts';
import { uncompressed } from './scripts/vite/uncompressed.ts';

const firstLoad = smallFirstLoad();
const licenceList = licences();

/**
 * What a page or worker begins with is one script, instead of many that its lazy parts could share: less, and sooner there.
 * @param entry a worker's: a script of its own that nothing imports, because WebKit (WebKitGTK 2.50) evaluates the script
 *   of a worker once more for whoever imports it
 */
const atOnce = (name: string, entry?: RegExp) => ({
  output: {
    codeSplitting: {
      groups: [{ name, tags: ['$initial' as const], test: (id: string) => entry?.test(id) !== true }],
    },
  },
});

/** `npm start` (scripts/start.mjs) builds only what a page on this machine needs. */
const START = 'start';

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [
    react(),
    secured(),
    uncompressed(),
    licenceList.page,
    ...(mode === START ? [] : [firstLoad.page, offline()]),
  ],
  worker: {
    format: 'es',
    plugins: () => [
      bareShaders(),
      bareSettings(),
      licenceList.worker(),
      ...(mode === START ? [peersOnDemand()] : [peersApart(), firstLoad.worker]),
    ],
    rolldownOptions: atOnce('worker', /src\/worker\/main\.ts$/),
  },
  // Not the pages of bench/, whose libraries need not be installed.
  optimizeDeps: { entries: ['index.html'] },
  // Browsers with WebGPU know modulepreload.
  build: { target: 'es2023', modulePreload: { polyfill: false }, rolldownOptions: atOnce('index') },
  server: { port: 5173 },
  preview: { port: 4173 },
}));
