import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { smallFirstLoad } from './scripts/build/first-load.ts';
import { offline } from './scripts/build/offline.ts';

export default defineConfig({
  base: './',
  plugins: [react(), smallFirstLoad(), offline()],
  worker: { format: 'es' },
  // Not the pages of bench/, whose libraries are installed there alone.
  optimizeDeps: { entries: ['index.html'] },
  build: { target: 'es2023' },
  server: { port: 5173 },
  preview: { port: 4173 },
});
