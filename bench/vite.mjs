// Runs TypeScript of this project as it stands, through Vite, which knows shader files and import.meta.glob.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** Calls the `main` of `module`, a path from the project's root, with the command line's words. */
export async function runMain(module) {
  const server = await createServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  });
  try {
    const { main } = await server.environments.ssr.runner.import(module);
    await main(process.argv.slice(2));
  } finally {
    await server.close();
  }
}
