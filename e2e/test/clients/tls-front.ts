/** TLS in front of a receiver that speaks HTTP, as the guide for receivers demands. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Mesh } from '../../mesh.ts';

/** @param port of the receiver. @returns the public URL. */
export const startTlsFront = async (mesh: Mesh, port: number) => {
  const { certFile, keyFile } = mesh.file().receiver;
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const server = createServer(tls, (incoming, outgoing) => {
    const { method, headers, url: path } = incoming;
    const options = { host: '127.0.0.1', port, method, headers, path };
    const inner = request(options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    inner.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hooks`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
