/**
 * A receiver that answers 204 at once over TLS, in a process of its own: it shares the machine with
 * those who are measured, so it does as little as it can. Tells its parent its port.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { settingsOf } from './program.ts';

const { certFile, keyFile } = settingsOf<{ certFile: string; keyFile: string }>();
const response =
  'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\n\r\n';

/** Whether one request is there as a whole; nobody sends a second one before the answer. */
const isWhole = (request: Buffer): boolean => {
  const end = request.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: *(\d+)/i.exec(request.toString('latin1', 0, end));
  return end >= 0 && request.length >= end + 4 + Number(length?.[1] ?? 0);
};

const nothing: Buffer = Buffer.alloc(0);
const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const server = createServer(credentials, (socket) => {
  let request = nothing;
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    request = request.length > 0 ? Buffer.concat([request, chunk]) : chunk;
    if (!isWhole(request)) return;
    request = nothing;
    socket.write(response);
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
