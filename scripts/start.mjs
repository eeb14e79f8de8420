// `npm start`: serves the built page. It is built again if anything that it is made of has changed: at the start, and whenever the
// page is opened. `npm run dev` reloads modules as they are edited instead.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, preview, runnerImport } from 'vite';
import { BuiltFrom } from './vite/built-from.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Apart from dist/, which is for publishing. */
const FOLDER = join(ROOT, 'node_modules', '.wgrad-start');
const builtFrom = new BuiltFrom(ROOT, join(FOLDER, '.stamp'), [
  // Written by `npm run peers`.
  join(ROOT, 'peers/node_modules/.installed'),
]);

/** Builds the page if it is not that of the sources. @throws what is wrong with them */
async function refresh() {
  if (builtFrom.isFresh()) return;
  console.error('Building the page');
  await builtFrom.build(({ page, worker }) =>
    build({
      root: ROOT,
      mode: 'start',
      logLevel: 'error',
      plugins: [page],
      worker: { plugins: () => [worker()] },
      build: {
        outDir: FOLDER,
        emptyOutDir: true,
        minify: false,
        cssMinify: false,
        reportCompressedSize: false,
      },
    }),
  );
  peers = undefined;
}

/** The contenders of the frameworks race, built at the first request. */
let peers;
const buildPeers = async () => {
  const { module } = await runnerImport(pathToFileURL(join(ROOT, 'scripts/vite/peers-on-demand.ts')).href);
  await module.buildPeers(FOLDER);
};

// One build at a time.
let turn = refresh();
const inTurn = (work) => (turn = turn.catch(() => undefined).then(work));

const middleware = async ({ url = '/' }, response, next) => {
  const path = url.replace(/[?#].*/, '');
  try {
    if (/^\/((index|embed)\.html)?$/.test(path)) await inTurn(refresh);
    else if (path.startsWith('/peers/')) await inTurn(() => (peers ??= buildPeers()));
  } catch (error) {
    console.error(error.message);
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`The page cannot be built.\n\n${error.message}\n`);
    return;
  }
  next();
};

try {
  await turn;
} catch (error) {
  console.error(`The page cannot be built: ${error.message}`);
  process.exit(1);
}
const server = await preview({
  root: ROOT,
  mode: 'start',
  build: { outDir: FOLDER },
  preview: { port: 5173 },
  plugins: [
    { name: 'wgrad-fresh', configurePreviewServer: ({ middlewares }) => void middlewares.use(middleware) },
  ],
});
server.printUrls();
