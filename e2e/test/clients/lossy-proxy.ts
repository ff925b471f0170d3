/** A proxy in front of the gateway that loses responses: the request was executed, nobody hears. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lose(n)`: the next n responses to a POST are cut off. */
export const startLossyProxy = async (target: string) => {
  let left = 0;
  let lost = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const upstream = request(new URL(url ?? '/', target), { method, headers }, (response) => {
      if (method === 'POST' && left > 0) {
        left--;
        lost++;
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
    lose: (responses: number) => {
      left = responses;
    },
    lost: () => lost,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
