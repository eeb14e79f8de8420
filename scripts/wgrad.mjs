// `npm run -s wgrad -- <command>`: runs src/cli/main.ts from source, through Vite, which handles TypeScript, shader
// files and import.meta.glob. Nothing is built, cached or served, so any number can run at the same time.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { commonJs } from './vite/common-js.mjs';

const server = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  configFile: false,
  appType: 'custom',
  // Standard output is only for results; errors are still thrown here.
  logLevel: 'silent',
  plugins: [commonJs()],
  optimizeDeps: { noDiscovery: true },
  // Written for bundlers: Node cannot find the files that they import.
  ssr: { noExternal: [/^@tensorflow\//] },
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
});
const { ssr } = server.environments;
// Ends the process by itself.
await ssr.runner.import('/src/cli/main.ts');
