/** Servers of a partner and in front of the gateway, on loopback ports. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { LocalStack } from './local-stack.ts';

/** The certificate that the local stack's webhooks trust. */
export const receiverTls = (stack: LocalStack) => {
  const { certFile, keyFile } = stack.file().receiver;
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
};

/** Serves on a free loopback port. @returns the port; `stop` cuts open connections. */
export const serveOnLoopback = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** `lost`: the request was executed, and nobody hears. `page`: the proxy's own 502, as HTML. */
type Failing = 'lost' | 'page';

/**
 * Forwards every request to an origin. `fail(…)`: what becomes of the next POSTs, in their order.
 * @param stack serves over TLS with its certificate.
 */
export const startProxy = async (target: string, stack?: LocalStack) => {
  let next: Failing[] = [];
  let failed = 0;
  const handle: RequestListener = (incoming, outgoing) => {
    const failing = incoming.method === 'POST' ? next.shift() : undefined;
    if (failing) failed++;
    if (failing === 'page') {
      incoming.resume();
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? '/', target), { method, headers });
    incoming.pipe(onward);
    onward.on('response', (response) => {
      if (failing === 'lost') {
        response.resume();
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
  };
  const server = stack ? createTlsServer(receiverTls(stack), handle) : createServer(handle);
  const { port, stop } = await serveOnLoopback(server);
  return {
    url: stack ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    fail: (...responses: Failing[]) => {
      next = responses;
    },
    failed: () => failed,
    stop,
  };
};
