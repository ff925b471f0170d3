/** The HTTPS proxy that the documentation puts in front of a receiver. */
import { readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Mesh } from './mesh.ts';

/** Forwards every request to a loopback port, with the local stack's certificate. */
export const startTlsProxy = async (mesh: Mesh, target: number) => {
  const { certFile, keyFile } = mesh.file().receiver;
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      const { method, url, headers } = request;
      const onward = send({ host: '127.0.0.1', port: target, method, path: url, headers });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.writeHead(502).end());
      request.pipe(onward);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
