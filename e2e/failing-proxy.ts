/** A proxy in front of the gateway that can fail its next responses to a POST. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lost`: the request was executed, and nobody hears. `page`: the proxy's own 502, as HTML. */
type Failing = 'lost' | 'page';

/** `fail(…)`: what becomes of the next responses, in their order. */
export const startFailingProxy = async (target: string) => {
  let next: Failing[] = [];
  let failed = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const failing = method === 'POST' ? next.shift() : undefined;
    if (failing) failed++;
    if (failing === 'page') {
      incoming.resume();
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const upstream = request(new URL(url ?? '/', target), { method, headers }, (response) => {
      if (failing === 'lost') {
        response.resume();
        return outgoing.destroy();
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      return response.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (...responses: Failing[]) => {
      next = responses;
    },
    failed: () => failed,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
