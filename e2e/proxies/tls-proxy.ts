/** The HTTPS proxy that the documentation puts in front of a receiver. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Mesh } from '../mesh.ts';
import { forward, serveOnLoopback } from './proxy.ts';

/** Forwards every request to a loopback port, with the local stack's certificate. */
export const startTlsProxy = async (mesh: Mesh, target: number) => {
  const { certFile, keyFile } = mesh.file().receiver;
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      const onward = forward(request, `http://127.0.0.1:${target}`);
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
