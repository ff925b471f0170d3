/** A proxy in front of the gateway that can fail its next responses to a POST. */
import { createServer } from 'node:http';
import { forward, serveOnLoopback } from './proxy.ts';

/** `lost`: the request was executed, and nobody hears. `page`: the proxy's own 502, as HTML. */
type Failing = 'lost' | 'page';

/** `fail(…)`: what becomes of the next responses, in their order. */
export const startFailingProxy = async (target: string) => {
  let next: Failing[] = [];
  let failed = 0;
  const server = createServer((incoming, outgoing) => {
    const failing = incoming.method === 'POST' ? next.shift() : undefined;
    if (failing) failed++;
    if (failing === 'page') {
      incoming.resume();
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const upstream = forward(incoming, target);
    upstream.on('response', (response) => {
      if (failing === 'lost') {
        response.resume();
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
  });
  const { port, stop } = await serveOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    fail: (...responses: Failing[]) => {
      next = responses;
    },
    failed: () => failed,
    stop,
  };
};
