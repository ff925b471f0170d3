/**
 * The worker of the driver's page: it keeps the page's files, so that the page opens without a network.
 * It keeps no answer of a call. The build gives it the files, whose names contain their hash.
 */
declare const FILES: readonly string[];
declare const VERSION: string;

interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const page = '/driver';
const worker = globalThis as unknown as {
  addEventListener(name: string, handle: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

/** A browser with a detector of its own does not need the module for barcodes. */
const isNeeded = (file: string): boolean =>
  !(file.endsWith('.wasm') && 'BarcodeDetector' in globalThis);

const fill = async (): Promise<void> => {
  await (await caches.open(VERSION)).addAll([page, ...FILES.filter(isNeeded)]);
  await worker.skipWaiting();
};
const clean = async (): Promise<void> => {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await worker.clients.claim();
};

/** A file is served from the cache; the page by the network first, so that it is the newest. */
const respond = async (request: Request): Promise<Response> => {
  const cache = await caches.open(VERSION);
  if (request.mode !== 'navigate') return (await cache.match(request)) ?? fetch(request);
  const kept = cache.match(page);
  return fetch(request, { signal: AbortSignal.timeout(pageMs) })
    .then(async (response) => (response.ok ? response : ((await kept) ?? response)))
    .catch(async (error) => (await kept) ?? Promise.reject(error));
};
/** Time after which the kept page is shown, in ms. */
const pageMs = 3000;

worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(clean()));
worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isOurs = pathname === page || FILES.includes(pathname);
  if (method === 'GET' && origin === location.origin && isOurs)
    event.respondWith(respond(event.request));
});
