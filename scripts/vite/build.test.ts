import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, createServer, preview, type InlineConfig, type Plugin } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { link } from '../../src/gpu/link.ts';
import { fetchShaders, shaderNames, shaderSource } from '../../src/gpu/sources.ts';
import { datasets } from '../../src/data/catalogue.ts';
import type { DatasetInfo } from '../../src/data/dataset.ts';
import { bareSettings, withoutWords } from './bare-settings.ts';
import { bare, bareShaders } from './bare-shaders.ts';
import { firstLoad, MAX_BYTES, smallFirstLoad } from './first-load.ts';
import { DATA_HOSTS, EMBED_HEADERS, HEADERS, headersFile, secured } from './headers.ts';
import type * as Headers from './headers.ts';
import { LICENCES, licences } from './licences.ts';
import { linkCard, PICTURE } from './link-card.ts';
import { hashesOf, offline, workerOf } from './offline.ts';
import { peersApart } from './peers-apart.ts';
import { uncompressed } from './uncompressed.ts';

function madeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes files into a folder, and builds it. */
async function buildIn(folder: string, files: Readonly<Record<string, string>>, options: InlineConfig) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await build({ root: folder, configFile: false, logLevel: 'silent', ...options });
}

const PAGE = '<script type="module" src="page.js"></script>';
const WITH_WORKER = `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });`;

test('chunks that the entries load at once are counted once each, and lazy ones are not', () => {
  const chunk = (fileName: string, imports: string[], isEntry = false) => ({
    fileName,
    imports,
    isEntry,
    code: randomBytes(500).toString('hex'),
  });
  const sizes = firstLoad([
    chunk('page.js', ['shared.js', 'react.js'], true),
    chunk('shared.js', ['react.js']),
    chunk('react.js', ['shared.js']),
    chunk('lazy.js', ['shared.js']),
  ]);
  expect([...sizes.keys()]).toEqual(['page.js', 'shared.js', 'react.js']);
  for (const bytes of sizes.values()) expect(bytes).toBeGreaterThan(500);
  expect(MAX_BYTES).toBeLessThanOrEqual(250_000);
});

test('page and worker are counted together, without what either fetches later', async () => {
  const folder = madeFolder();
  const weigh = async (page: number, worker: number, later: number) => {
    const ballast = (bytes: number) => `console.log('${randomBytes(bytes).toString('base64')}');`;
    const files = {
      'index.html': PAGE,
      'page.js': WITH_WORKER + ballast(page),
      'worker.js': `import('./later.js');${ballast(worker)}`,
      'later.js': ballast(later),
    };
    const check = smallFirstLoad();
    const forWorker = { format: 'es', plugins: () => [check.worker] } as const;
    await buildIn(folder, files, { plugins: [check.page], worker: forWorker });
  };
  const third = MAX_BYTES / 3;
  await weigh(third, third, 2 * third);
  await expect(weigh(third, 2 * third, 0)).rejects.toThrow(
    /at most 250000, found 25\d{4} bytes.*worker 16\d{4}/,
  );
  await expect(weigh(2 * third, third, 0)).rejects.toThrow(
    /at most 250000, found 25\d{4} bytes.*page 16\d{4}/,
  );
});

test('shaders without comments and indentation: the same lines of the same code', async () => {
  await fetchShaders();
  expect(bare('// Adds.\n  // @import common/index\n  let a = 1.0; // one\n')).toBe(
    '\n// @import common/index\nlet a = 1.0;\n',
  );
  const linked = (name: string, read: (name: string) => string) => {
    try {
      const { code, lines } = link(name, {}, read);
      return { code: bare(code), lines: lines.map(({ line }) => line) };
    } catch (error) {
      // Some only compile within the files that import them.
      return (error as Error).message;
    }
  };
  for (const name of shaderNames()) {
    const stripped = linked(name, (file) => bare(shaderSource(file)));
    expect(stripped).toEqual(linked(name, shaderSource));
  }
  expect(() => bare('/* not here */')).toThrow('expected comments to the end of the line');
});

test('a build has bare shaders, and whole ones where requested', async () => {
  const folder = madeFolder();
  const imports = `import bare from './a.wgsl?raw'; import whole from './a.wgsl?raw&whole';`;
  const files = {
    'a.wgsl': '// Adds.\nlet a = 1.0;',
    'page.js': `${imports} export default { bare, whole };`,
  };
  await buildIn(folder, files, {
    plugins: [bareShaders()],
    build: { lib: { entry: 'page.js', formats: ['es'], fileName: () => 'built.js' }, minify: false },
  });
  const text = readFileSync(join(folder, 'dist/built.js'), 'utf8');
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([literal]) => JSON.parse(literal) as string);
  expect(strings).toEqual(['\nlet a = 1.0;', '// Adds.\nlet a = 1.0;']);
});

test('what races is kept apart, and its worker does not count to what loads first', async () => {
  const folder = madeFolder();
  const files = {
    'index.html': PAGE,
    'page.js': WITH_WORKER,
    'worker.js': `import('./peers/worker.ts?worker').then(({ default: Race }) => new Race());console.log('main');`,
    'peers/worker.ts': `import('./later.ts');console.log('${randomBytes(MAX_BYTES).toString('base64')}');`,
    'peers/later.ts': `console.log('later');`,
  };
  const check = smallFirstLoad();
  await buildIn(folder, files, {
    plugins: [check.page, offline()],
    worker: { format: 'es', plugins: () => [peersApart(), check.worker] },
  });
  expect(readdirSync(join(folder, 'dist/peers'))).toHaveLength(2);
  const source = readFileSync(join(folder, 'dist/sw.js'), 'utf8');
  expect(source).toContain('"index.html"');
  expect(source).not.toContain('"peers/worker');
});

/** The service worker of a build with one file, in a world where servers answer with `served`. */
function serviceWorker(file: string, built: string | Buffer, served: string) {
  const page = hashesOf('index.html', Buffer.from('page'));
  const source = workerOf({ [file]: hashesOf(file, Buffer.from(built)), 'index.html': page });
  expect(source).not.toMatch(/VERSION|'(FILES|(PEERS_)?HEADERS|PEERS)'/);
  const listeners = new Map<string, (event: object) => void>();
  const kept = new Map<string, Response>();
  const cache = {
    put: async (name: string, response: Response) => void kept.set(name, response),
    match: async (name: string) => kept.get(name)?.clone(),
  };
  const self = {
    registration: { scope: 'https://host/page/' },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  const fetched = async ({ url }: Request) => new Response(url.endsWith('html') ? 'page' : served);
  class Relative extends Request {
    constructor(name: string) {
      super(new URL(name, self.registration.scope));
    }
  }
  // oxlint-disable-next-line typescript/no-implied-eval -- the program under test
  new Function('self', 'caches', 'fetch', 'Request', source)(
    self,
    { open: async () => cache },
    fetched,
    Relative,
  );
  /** What it answers with, or waits for. */
  const dispatch = (type: string, event: object) =>
    new Promise<Response>((done) => listeners.get(type)?.({ ...event, waitUntil: done, respondWith: done }));
  return { install: () => dispatch('install', {}), dispatch };
}

test('the service worker keeps the files of its build, and answers with them and the headers', async () => {
  const { install, dispatch } = serviceWorker('a b.js', 'one();', 'one();');
  await install();
  const answer = await dispatch('fetch', { request: new Request('https://host/page/a%20b.js') });
  expect(await answer.text()).toBe('one();');
  for (const [name, value] of Object.entries(HEADERS)) expect(answer.headers.get(name)).toBe(value);
});

test('a service worker does not take a file of another build', async () => {
  const { install } = serviceWorker('a b.js', 'one();', 'other();');
  await expect(install()).rejects.toThrow('expected a b.js of this build, found another one');
});

test('a service worker takes an archive that the browser has unpacked', async () => {
  const { install } = serviceWorker('a.gz', gzipSync('the data'), 'the data');
  await expect(install()).resolves.toHaveLength(2);
});

test('the policy allows data sets from their hosts, and no code that is text', () => {
  const hosts = datasets
    .all()
    .flatMap(({ mirrors = [] }: DatasetInfo) => mirrors.map((url) => new URL(url).origin));
  expect(new Set(hosts)).toEqual(new Set(DATA_HOSTS));
  const policy = HEADERS['Content-Security-Policy'];
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("default-src 'none'");
});

test.each(['configureServer', 'configurePreviewServer'] as const)(
  'the policy that a server sends allows no code that is text: %s',
  async (hook) => {
    const server = await (hook === 'configureServer' ? createServer : preview)({
      configFile: false,
      plugins: [secured()],
      root: madeFolder(),
      logLevel: 'silent',
      server: { port: 0 },
      preview: { port: 0 },
    });
    if ('listen' in server) await server.listen();
    const { port } = server.httpServer!.address() as AddressInfo;
    const { headers } = await fetch(`http://localhost:${port}/`);
    const { headers: ofCards } = await fetch(`http://localhost:${port}/embed.html?card=pad`);
    await server.close();
    expect(ofCards.get('Content-Security-Policy')).toMatch(/frame-ancestors \*$/);
    expect(ofCards.get('Content-Security-Policy')).not.toMatch(/'unsafe-(inline|eval)'/);
    expect(ofCards.get('X-Frame-Options')).toBeNull();
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('Content-Security-Policy')).not.toMatch(/'unsafe-(inline|eval)'/);
    for (const [name, value] of Object.entries(HEADERS))
      if (name !== 'Content-Security-Policy') expect(headers.get(name)).toBe(value);
  },
);

test('a preview is compressed for other machines, not for this one', async () => {
  const root = madeFolder();
  const text = 'wgrad '.repeat(1000);
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist', 'page.js'), text);
  const encodingFor = async (from?: string) => {
    const asOther: Plugin = {
      name: 'as-other',
      configurePreviewServer({ middlewares }) {
        middlewares.use(({ socket }, _, next) => {
          if (from !== undefined) Object.defineProperty(socket, 'remoteAddress', { value: from });
          next();
        });
      },
    };
    const server = await preview({
      configFile: false,
      plugins: [asOther, uncompressed()],
      root,
      logLevel: 'silent',
      preview: { port: 0 },
    });
    const { port } = server.httpServer.address() as AddressInfo;
    const response = await fetch(`http://localhost:${port}/page.js`, { headers: { connection: 'close' } });
    expect(await response.text()).toBe(text);
    await server.close();
    return response.headers.get('content-encoding');
  };
  expect(await encodingFor()).toBeNull();
  for (const other of ['192.168.1.20', '::ffff:10.0.0.127', 'fe80::1'])
    expect(await encodingFor(other), other).not.toBeNull();
});

test('a build lists the licences of what the page and its workers contain', async () => {
  const folder = madeFolder();
  const modules = [
    ['for-page', 'MIT'],
    ['@a/for-worker', 'BSD-3-Clause'],
    ['inside', 'Zlib'],
    ['unused', 'MIT'],
  ].flatMap(([name, license]) => {
    const about = { name, version: '1.2.3', license, type: 'module', main: 'index.js' };
    return Object.entries({
      'package.json': JSON.stringify(about),
      // As bundlers note what they put in.
      'index.js': `console.log('${name}');${name === 'for-page' ? '\n// node_modules/inside/index.js\n' : ''}`,
      'LICENSE.md': `Copyright by ${name}`,
    }).map(([file, content]) => [`node_modules/${name}/${file}`, content]);
  });
  const files = {
    ...(Object.fromEntries(modules) as Record<string, string>),
    'index.html': PAGE,
    'page.js': `import 'for-page'; ${WITH_WORKER}`,
    'worker.js': `import '@a/for-worker';`,
  };
  const list = licences();
  await buildIn(folder, files, {
    plugins: [list.page],
    worker: { format: 'es', plugins: () => [list.worker()] },
  });
  const text = readFileSync(join(folder, 'dist', LICENCES), 'utf8');
  expect(text).toMatch(/@a\/for-worker 1.2.3: BSD-3-Clause\nfor-page 1.2.3: MIT\ninside 1.2.3: Zlib/);
  expect(text).toContain('Copyright by @a/for-worker');
  expect(text).not.toContain('unused');
});

test('a build has settings without their words, however the table is written', async () => {
  const folder = madeFolder();
  const table = `{ lr: { optionHint: "It's small, } and \\'so on'", default: 1, title: \`Rate\` }, // title: '2',
    step: { type: 'choice', choices: { title: 'A title' }, about: { title: 'ends', short: '{' } }, seed: { default: 2, } }`;
  const path = 'src/run/settings/table.ts';
  await buildIn(
    folder,
    { [path]: `export const SETTINGS = ${table} as const satisfies object;` },
    {
      plugins: [bareSettings()],
      build: { lib: { entry: path, formats: ['es'], fileName: () => 'built.js' } },
    },
  );
  const { SETTINGS } = (await import(join(folder, 'dist/built.js'))) as { SETTINGS: unknown };
  expect(SETTINGS).toEqual({
    lr: { default: 1 },
    step: { type: 'choice', choices: { title: 'A title' } },
    seed: { default: 2 },
  });
  expect(() => withoutWords('export const SETTINGS = {}')).toThrow('expected an object SETTINGS');
});

test('a link to the page has a card: its picture at an absolute address where the build is given one', async () => {
  const folder = madeFolder();
  const page = readFileSync('index.html', 'utf8').replaceAll(/<(script|link) .*\n/g, '');
  const tagsAt = async (address: string | undefined) => {
    await buildIn(folder, { 'index.html': page }, { base: './', plugins: [linkCard(address)] });
    const text = readFileSync(join(folder, 'dist/index.html'), 'utf8');
    const tags = text.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g);
    return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
  };
  const { 'og:image': picture, ...others } = await tagsAt('https://example.org/wgrad');
  expect(picture).toBe('https://example.org/wgrad/link-picture.png');
  expect(others).toMatchObject({
    'og:url': 'https://example.org/wgrad/',
    'og:title': expect.stringContaining('wgrad') as string,
    'og:description': expect.stringContaining('Draw a digit') as string,
    'twitter:card': 'summary_large_image',
  });
  const png = readFileSync(join('public', PICTURE.file));
  const declared = { 'og:image:width': png.readUInt32BE(16), 'og:image:height': png.readUInt32BE(20) };
  expect(declared).toEqual({ 'og:image:width': 1200, 'og:image:height': 630 });
  for (const [name, value] of Object.entries(declared)) expect(others[name]).toBe(String(value));

  const without = await tagsAt(undefined);
  expect(without['og:image']).toBe('./link-picture.png');
  expect(without).not.toHaveProperty('og:url');
  await expect(tagsAt('example.org')).rejects.toThrow('WGRAD_URL: expected the address of the page');
});

test('cards alone may be shown in other pages: in all, or in those that the build names', async () => {
  expect(HEADERS['Content-Security-Policy']).toContain("frame-ancestors 'none'");
  expect(HEADERS['X-Frame-Options']).toBe('DENY');
  expect(EMBED_HEADERS).not.toHaveProperty('X-Frame-Options');
  const rules = headersFile().split('\n\n');
  const open = rules.filter((rule) => rule.includes('frame-ancestors *'));
  expect(open.map((rule) => rule.split('\n')[0])).toEqual(['/embed.html', '/embed']);
  for (const rule of open) expect(rule).toContain('! X-Frame-Options');
  vi.stubEnv('WGRAD_EMBED_IN', 'https://school.example');
  onTestFinished(() => void vi.unstubAllEnvs());
  const copy = './headers.ts?limited';
  const { EMBED_HEADERS: limited } = (await import(copy)) as typeof Headers;
  expect(limited['Content-Security-Policy']).toMatch(/frame-ancestors https:\/\/school.example$/);
});

test('the service worker lets cards be framed, and nothing else', async () => {
  for (const [file, headers] of [
    ['embed.html', EMBED_HEADERS],
    ['a.html', HEADERS],
  ] as const) {
    const { install, dispatch } = serviceWorker(file, 'one();', 'page');
    await install().catch(() => undefined);
    const answer = await dispatch('fetch', { request: new Request(`https://host/page/${file}?card=pad`) });
    expect(answer.headers.get('Content-Security-Policy')).toBe(headers['Content-Security-Policy']);
    expect(answer.headers.get('X-Frame-Options')).toBe(headers['X-Frame-Options'] ?? null);
  }
});
