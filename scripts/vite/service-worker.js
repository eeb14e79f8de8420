// Serves the page from this build's cache; see scripts/vite/offline.ts, which fills in the cache's name and files.
const PREFIX = `wgrad ${self.registration.scope} `;
const CACHE = `${PREFIX}VERSION`;
const FILES = 'FILES';
/** Headers for hosts that cannot send their own; see scripts/vite/isolation.ts. */
const ISOLATION = 'ISOLATION';

self.addEventListener('install', (event) => {
  // Bypasses the browser's HTTP cache, which may have files of another build. If one file fails, the install fails.
  const requests = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(older.map((name) => caches.delete(name)));
      // The page of the first visit also loads its later files from here.
      if (older.length === 0) await self.clients.claim();
    })(),
  );
});

// The page requests the new build when the user does, and is then reloaded.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const path = new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length);
  const file = path === '' ? 'index.html' : decodeURI(path);
  // What is kept apart (scripts/vite/peers-apart.ts) comes by the network, and needs the headers too.
  if (!FILES.includes(file) && !file.startsWith('PEERS')) return;
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(file))
      .then((kept) => kept ?? fetch(request))
      .then(isolated),
  );
});

function isolated({ body, status, statusText, headers }) {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(ISOLATION)) all.set(name, value);
  return new Response(body, { status, statusText, headers: all });
}
