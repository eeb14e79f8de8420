// Serves the page from this build's own cache; see scripts/vite/offline.ts, which fills in what is in it.
const PREFIX = `wgrad ${self.registration.scope} `;
const CACHE = `${PREFIX}VERSION`;
const FILES = 'FILES';

self.addEventListener('install', (event) => {
  // Past the browser's own cache, which may have the files of another build. All of them, or the install fails.
  const requests = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(older.map((name) => caches.delete(name)));
      // The first visit's page, too, loads what it has not loaded yet from here.
      if (older.length === 0) await self.clients.claim();
    })(),
  );
});

// The page asks for the new build when the person does, and is loaded anew with it.
self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const path = new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length);
  const file = path === '' ? 'index.html' : decodeURI(path);
  if (!FILES.includes(file)) return;
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(file))
      .then((kept) => kept ?? fetch(request)),
  );
});
