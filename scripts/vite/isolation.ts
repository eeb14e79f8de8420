/**
 * Headers that isolate the page from other origins, so that its threads may share memory: the CPU engine then uses all
 * cores (https://web.dev/articles/coop-coep). The page embeds nothing from other origins, and what it fetches from them is
 * requested by CORS, which these headers do not affect. Not `credentialless`, which Safari does not know.
 */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
