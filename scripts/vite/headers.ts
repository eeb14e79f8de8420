/**
 * What the page may load and run, and who may show it in a frame: headers where a server sends them, a meta element where none does.
 * From the second visit on, the service worker adds the headers itself.
 */
import { randomUUID } from 'node:crypto';
import type { Plugin } from 'vite';
import { PEERS } from './peers-apart.ts';

/** Hosts from which data sets are downloaded when somebody asks for them. */
export const DATA_HOSTS = ['https://cdn.jsdelivr.net', 'https://raw.githubusercontent.com'];

/**
 * Content-Security-Policy (https://www.w3.org/TR/CSP3): scripts are files of this page, none is made from text, and nothing
 * comes from other hosts but data sets. The CPU engine and the frameworks race need WebAssembly.
 */
const POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'manifest-src': ["'self'"],
  'connect-src': ["'self'", ...DATA_HOSTS],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** Cards of the page that others may show in theirs: src/app/embed. Some hosts leave the ending out. */
const EMBEDDED = /^embed(\.html)?$/;

/** Who may: everybody, or the sources in WGRAD_EMBED_IN, such as "https://school.example"; 'none' refuses all. */
const EMBEDDERS = process.env['WGRAD_EMBED_IN']?.trim() || '*';

/** jax-js starts its threads from text. */
const PEERS_POLICY = { ...POLICY, 'worker-src': ["'self'", 'blob:'] };

/** Marks Vite's own scripts and styles in the page; another one each time the server starts. */
const DEV_NONCE = randomUUID();

/** Vite reloads modules while they are edited: by scripts and styles in the page, and over a socket. */
const DEV_POLICY = {
  ...PEERS_POLICY,
  'script-src': [...POLICY['script-src'], `'nonce-${DEV_NONCE}'`],
  'style-src': [...POLICY['style-src'], `'nonce-${DEV_NONCE}'`],
  'connect-src': [...POLICY['connect-src'], 'ws:'],
};

const textOf = (policy: typeof POLICY): string =>
  Object.entries(policy)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

const withPolicy = (policy: typeof POLICY): Readonly<Record<string, string>> => ({
  // A meta element cannot say this: https://www.w3.org/TR/CSP3/#meta-element
  'Content-Security-Policy': textOf({ ...policy, 'frame-ancestors': ["'none'"] }),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  // These isolate the page from other origins, so that its threads may share memory: the CPU engine then uses all cores
  // (https://web.dev/articles/coop-coep). The page embeds nothing from other origins, and what it fetches from them is requested
  // by CORS, which they do not affect. Not `credentialless`, which Safari does not know.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
});

/** What makes a copy of the build a static Space (https://huggingface.co/docs/hub/spaces-config-reference). */
const SPACE = `---
title: wgrad
sdk: static
license: mit
custom_headers:
  cross-origin-opener-policy: same-origin
  cross-origin-embedder-policy: require-corp
---

Trains convolutional networks on your own GPU or CPU, and shows what happens inside.
`;

/** For a page that may stand in a frame, also in one of an isolated page. */
function embeddable(policy: typeof POLICY): Readonly<Record<string, string>> {
  const { 'X-Frame-Options': _denied, ...headers } = withPolicy(policy);
  return {
    ...headers,
    'Content-Security-Policy': textOf({ ...policy, 'frame-ancestors': [EMBEDDERS] }),
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

export const HEADERS = withPolicy(POLICY);
/** For what is kept apart: the contenders of the frameworks race. */
export const PEERS_HEADERS = withPolicy(PEERS_POLICY);
export const EMBED_HEADERS = embeddable(POLICY);

/** @param url from the page's folder, with a leading slash */
function headersOf(url = '/', isDevelopment = false): Readonly<Record<string, string>> {
  const file = url.slice(1).replace(/[?#].*/s, '');
  if (EMBEDDED.test(file)) return isDevelopment ? embeddable(DEV_POLICY) : EMBED_HEADERS;
  if (isDevelopment) return withPolicy(DEV_POLICY);
  return file.startsWith(PEERS) ? PEERS_HEADERS : HEADERS;
}

/** For hosts that read headers from a file: Cloudflare Pages and others (docs/hosting.md). */
export function headersFile(): string {
  const block = (path: string, lines: readonly string[]) =>
    [path, ...lines.map((line) => `  ${line}`), ''].join('\n');
  const lineOf = ([name, value]: [name: string, value: string]) => `${name}: ${value}`;
  // Rules that match the same file add up; "!" takes a header back.
  const others = (path: string, headers: typeof HEADERS) =>
    block(path, [
      ...Object.keys(HEADERS).flatMap((name) => (headers[name] === HEADERS[name] ? [] : [`! ${name}`])),
      ...Object.entries(headers).flatMap(([name, value]) =>
        value === HEADERS[name] ? [] : [lineOf([name, value])],
      ),
    ]);
  return [
    block('/*', Object.entries(HEADERS).map(lineOf)),
    others(`/${PEERS}*`, PEERS_HEADERS),
    others('/embed.html', EMBED_HEADERS),
    others('/embed', EMBED_HEADERS),
  ].join('\n');
}

/** Vite's servers send the headers; a build has the policy in the page, and the headers in a file. */
export function secured(): Plugin {
  return {
    name: 'wgrad-headers',
    config: (_, { command, isPreview }) =>
      command === 'serve' && isPreview !== true ? { html: { cspNonce: DEV_NONCE } } : {},
    configureServer({ middlewares }) {
      middlewares.use(({ url }, response, next) => {
        for (const [name, value] of Object.entries(headersOf(url, true))) response.setHeader(name, value);
        next();
      });
    },
    configurePreviewServer({ middlewares }) {
      middlewares.use(({ url }, response, next) => {
        for (const [name, value] of Object.entries(headersOf(url))) response.setHeader(name, value);
        next();
      });
    },
    transformIndexHtml(_, { server }) {
      if (server) return [];
      const content = textOf(POLICY);
      return [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content },
          injectTo: 'head-prepend',
        },
      ];
    },
    generateBundle() {
      if (this.environment.config.isWorker) return;
      this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() });
      this.emitFile({ type: 'asset', fileName: 'README.md', source: SPACE });
    },
  };
}
