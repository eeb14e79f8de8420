/** What other sites show of a link to the page: a title, a sentence and a picture (https://ogp.me). Every link has the same. */
import type { Plugin } from 'vite';

/** In public/. Made by scripts/make-link-picture.mjs. */
export const PICTURE = {
  file: 'link-picture.png',
  width: 1200,
  height: 630,
  alt: 'A handwritten 3 passes through the layers of a network, which answers: 3',
};

/** Adds the tags to index.html. @param address where the page will be; most sites ignore a picture without it */
export const linkCard = (address = process.env['WGRAD_URL']): Plugin => ({
  name: 'wgrad-link-card',
  transformIndexHtml: {
    order: 'post',
    handler(html, { path }) {
      if (path !== '/index.html') return [];
      const base = address === undefined || address === '' ? undefined : folderOf(address);
      const tags: [name: string, content: string][] = [
        ['og:type', 'website'],
        ['og:site_name', 'wgrad'],
        ['og:title', textIn(html, /<title>([^<]+)<\/title>/)],
        ['og:description', textIn(html, /name="description"\s+content="([^"]+)"/)],
        ...(base === undefined ? [] : [['og:url', base] as [string, string]]),
        ['og:image', base === undefined ? `./${PICTURE.file}` : new URL(PICTURE.file, base).href],
        ['og:image:width', String(PICTURE.width)],
        ['og:image:height', String(PICTURE.height)],
        ['og:image:alt', PICTURE.alt],
      ];
      // The rest, Twitter takes from the others.
      const twitter = { name: 'twitter:card', content: 'summary_large_image' };
      // After the element that says which characters these are.
      return [...tags.map(([property, content]) => ({ property, content })), twitter].map((attrs) => ({
        tag: 'meta',
        attrs,
        injectTo: 'head' as const,
      }));
    },
  },
});

function folderOf(address: string): string {
  const found = URL.canParse(address) ? new URL(address) : undefined;
  if (found?.protocol !== 'https:' && found?.protocol !== 'http:')
    throw new Error(
      `WGRAD_URL: expected the address of the page, such as https://example.org/wgrad/; found "${address}"`,
    );
  return new URL(found.pathname.endsWith('/') ? found : `${found.href}/`).href;
}

function textIn(html: string, pattern: RegExp): string {
  const text = pattern.exec(html)?.[1];
  if (text === undefined) throw new Error(`expected ${pattern} in index.html, found none`);
  return text;
}
