/** Proxies in front of the gateway and of a partner's receiver. */
import { readFileSync } from 'node:fs';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { LocalStack } from './local-stack.ts';

/** Sends a request on to another origin. @returns the request there, for its response and errors. */
const forward = (incoming: IncomingMessage, origin: string): ClientRequest => {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? '/', origin), { method, headers });
  incoming.pipe(onward);
  return onward;
};

/** Serves on a free loopback port. @returns the port; `stop` cuts open connections. */
const serveOnLoopback = async (server: Server) => {
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

/** A proxy in front of the gateway. `fail(…)`: what becomes of the next responses, in their order. */
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

/** Forwards every request to a loopback port, with the local stack's certificate. */
export const startTlsProxy = async (stack: LocalStack, target: number) => {
  const { certFile, keyFile } = stack.file().receiver;
  const server = createTlsServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (incoming, response) => {
      const onward = forward(incoming, `http://127.0.0.1:${target}`);
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.writeHead(502).end());
    },
  );
  const { port, stop } = await serveOnLoopback(server);
  return { url: `https://localhost:${port}/`, stop };
};
