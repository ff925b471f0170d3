/** What the proxies of the tests have in common. */
import { type ClientRequest, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sends a request on to another origin. @returns the request there, for its response and errors. */
export const forward = (incoming: IncomingMessage, origin: string): ClientRequest => {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? '/', origin), { method, headers });
  incoming.pipe(onward);
  return onward;
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
