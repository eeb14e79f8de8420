import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  // Not the pages of bench/, whose libraries are installed there alone.
  optimizeDeps: { entries: ['index.html'] },
  build: { target: 'es2023' },
  server: { port: 5173 },
  preview: { port: 4173 },
});
