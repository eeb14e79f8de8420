import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bareSettings } from './scripts/vite/bare-settings.ts';
import { bareShaders } from './scripts/vite/bare-shaders.ts';
import { earlyWorker } from './scripts/vite/early-worker.ts';
import { firstScript } from './scripts/vite/first-script.ts';
import { smallFirstLoad } from './scripts/vite/first-load.ts';
import { secured } from './scripts/vite/headers.ts';
import { licences } from './scripts/vite/licences.ts';
import { linkCard } from './scripts/vite/link-card.ts';
import { offline } from './scripts/vite/offline.ts';
import { peersOnDemand } from './scripts/vite/peers-on-demand.ts';
import { peersApart } from './scripts/vite/peers-apart.ts';
import { uncompressed } from './scripts/vite/uncompressed.ts';

const firstLoad = smallFirstLoad();
const early = earlyWorker();
const licenceList = licences();

/**
 * What a worker begins with is one script, too. Its entry is another, which nothing imports, because WebKit (WebKitGTK 2.50)
 * evaluates the script of a worker once more for whoever imports it.
 */
const WORKERS = /src\/worker\/(main|trained-alone)\.ts$/;
const workerScripts = {
  output: {
    codeSplitting: {
      groups: [{ name: 'worker', tags: ['$initial' as const], test: (id: string) => !WORKERS.test(id) }],
    },
  },
};

/** `npm start` (scripts/start.mjs) builds only what a page on this machine needs. */
const START = 'start';

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [
    react(),
    secured(),
    linkCard(),
    early.page,
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
      early.worker,
      ...(mode === START ? [peersOnDemand()] : [peersApart(), firstLoad.worker]),
    ],
    rolldownOptions: workerScripts,
  },
  // Not the pages of bench/, whose libraries need not be installed.
  optimizeDeps: { entries: ['index.html', 'embed.html'] },
  // Browsers with WebGPU know modulepreload. The list of what each lazy part imports would load first: 2 kB.
  build: {
    target: 'es2023',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      input: ['index.html', 'embed.html'],
      ...firstScript('index.html', 'src/app/main.tsx'),
    },
  },
  server: { port: 5173 },
  preview: { port: 4173 },
}));
