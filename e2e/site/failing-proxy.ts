/**
 * A proxy in front of the API that loses the first response, responds to the second request with a
 * page of its own, and forwards all others.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const startFailingProxy = async (api: string) => {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const forward = () =>
      fetch(`${api}${request.url}`, {
        method: request.method!,
        headers: {
          authorization,
          'content-type': type,
          'idempotency-key': `${request.headers['idempotency-key']}`,
        },
        body,
      });
    count++;
    if (count === 2) {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const answer = await forward();
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (count === 1) request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => count,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
