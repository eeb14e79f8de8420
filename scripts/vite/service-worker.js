// Serves the page from this build's cache; see scripts/vite/offline.ts, which fills in the cache's name and files.
const PREFIX = `wgrad ${self.registration.scope} `;
const CACHE = `${PREFIX}VERSION`;
/** The SHA-256 of each file; of an archive also when it is unpacked, as some hosts let the browser do. */
const FILES = 'FILES';
/** Headers for hosts that cannot send their own; see scripts/vite/headers.ts. */
const HEADERS = 'HEADERS';
const PEERS_HEADERS = 'PEERS_HEADERS';
const EMBED_HEADERS = 'EMBED_HEADERS';

self.addEventListener('install', (event) => {
  // If one file fails, the install fails, and the build before stays.
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => Promise.all(Object.entries(FILES).map((entry) => fetchInto(cache, ...entry)))),
  );
});

/** A host that is being updated, or a cache on the way, may answer with a file of another build. */
async function fetchInto(cache, file, hashes) {
  // Bypasses the browser's HTTP cache.
  const response = await fetch(new Request(file, { cache: 'reload' }));
  if (!response.ok) throw new Error(`expected ${file}, found status ${response.status}`);
  const bytes = await response.arrayBuffer();
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  const found = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!hashes.includes(found)) throw new Error(`expected ${file} of this build, found another one`);
  const { status, statusText, headers } = response;
  await cache.put(file, new Response(bytes, { status, statusText, headers }));
}

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
  const isPeer = file.startsWith('PEERS');
  if (!Object.hasOwn(FILES, file) && !isPeer) return;
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(file))
      .then((kept) => kept ?? fetch(request))
      .then((response) => withHeaders(response, isPeer ? PEERS_HEADERS : headersOf(file))),
  );
});

/** Other pages may show the cards of this one alone. */
const headersOf = (file) => (file === 'embed.html' ? EMBED_HEADERS : HEADERS);

function withHeaders({ body, status, statusText, headers }, added) {
  const all = new Headers(headers);
  // What the host itself says about frames.
  all.delete('X-Frame-Options');
  for (const [name, value] of Object.entries(added)) all.set(name, value);
  return new Response(body, { status, statusText, headers: all });
}
