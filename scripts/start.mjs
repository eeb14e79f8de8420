// `npm start`: serves the built page. It is built again if one of its sources has changed: at the start, and whenever the
// page is opened. `npm run dev` reloads modules as they are edited instead.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, preview, runnerImport } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Apart from dist/, which is for publishing. */
const FOLDER = join(ROOT, 'node_modules', '.wgrad-start');
const STAMP = join(FOLDER, '.stamp');
const SOURCES = [
  'index.html',
  'embed.html',
  'package-lock.json',
  'vite.config.ts',
  'public',
  'shaders',
  'scripts/vite',
  'src',
  'peers',
  // Written by `npm run peers`.
  'peers/node_modules/.installed',
];

/** Changes with the name, the size or the time of any source. */
function stamp() {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  const visit = (path) => {
    if (!statSync(path).isDirectory()) return add(path);
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (entry.name !== 'node_modules' && !/\.test\.tsx?$/.test(entry.name)) visit(join(path, entry.name));
  };
  for (const source of SOURCES) if (existsSync(join(ROOT, source))) visit(join(ROOT, source));
  return hash.digest('hex');
}

function builtStamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

/** Builds the page if it is not that of the sources. @throws what is wrong with them */
async function refresh() {
  const now = stamp();
  if (builtStamp() === now) return;
  console.error('Building the page');
  // Until it is whole.
  rmSync(STAMP, { force: true });
  await build({
    root: ROOT,
    mode: 'start',
    logLevel: 'error',
    build: {
      outDir: FOLDER,
      emptyOutDir: true,
      minify: false,
      cssMinify: false,
      reportCompressedSize: false,
    },
  });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(STAMP, now);
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
