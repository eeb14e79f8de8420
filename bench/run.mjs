// `node run.mjs [--batch-size N] [--rounds N] [--round-ms N]`: wgrad and its peers train LeNet-5 in turns in one browser.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const server = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  configFile: false,
  appType: 'custom',
  logLevel: 'silent',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
});
try {
  const { main } = await server.environments.ssr.runner.import('/bench/browser/main.ts');
  await main(process.argv.slice(2));
} finally {
  await server.close();
}
