/**
 * For `npm start`: what the contenders of the frameworks race consist of takes longer to bundle than the page, and few
 * start the race. It is a build of its own, made when the page first asks for it: see scripts/start.mjs.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { bareShaders } from './bare-shaders.ts';
import { PEERS } from './peers-apart.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKER = "new URL('./worker.ts', import.meta.url)";

/** Leaves the contenders' worker out of a build, whose page asks for `peers/worker.js`. */
export const peersOnDemand = (): Plugin => ({
  name: 'wgrad-peers-on-demand',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/peers\/remote\.ts$/ },
    handler(code) {
      if (!code.includes(WORKER)) return this.error(`expected ${WORKER}, found none`);
      // Not a literal, which Vite would bundle.
      return {
        code: code.replace(WORKER, `new URL(['../${PEERS}worker.js'][0], import.meta.url)`),
        map: null,
      };
    },
  },
});

/** Whether an import is of a package that is not installed. It then fails in the race, which says how to install it. */
function isMissing(id: string): boolean {
  if (/^[.\0]/.test(id) || isAbsolute(id)) return false;
  const name = id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
  return ![ROOT, join(ROOT, 'peers')].some((folder) => existsSync(join(folder, 'node_modules', name)));
}

/** @param folder of the page's build */
export async function buildPeers(folder: string): Promise<void> {
  const names = '[name]-[hash]';
  await build({
    configFile: false,
    root: ROOT,
    base: './',
    publicDir: false,
    logLevel: 'error',
    plugins: [bareShaders()],
    build: {
      target: 'es2023',
      outDir: join(folder, PEERS),
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(ROOT, 'peers/worker.ts'),
        external: isMissing,
        output: {
          entryFileNames: 'worker.js',
          chunkFileNames: `${names}.js`,
          assetFileNames: `${names}[extname]`,
        },
      },
    },
  });
}
