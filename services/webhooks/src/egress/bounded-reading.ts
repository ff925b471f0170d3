import type { TLSSocket } from 'node:tls';
import { EgressError } from './egress-error.ts';

/** Bytes that one response may have: 64 KiB of body (decision 39) and 16 KiB of headers. */
const readMaxBytes = 80 * 1024;
const tooMuch = `the receiver sent more than ${readMaxBytes / 1024} KiB for one request`;

/**
 * Destroys a connection that receives more than `readMaxBytes` for one request. The limit is
 * checked coarsely, so the connection is destroyed at twice the limit at the latest. undici parses
 * 1xx responses, blank lines and chunk extensions without calling a handler, so no other limit
 * counts their bytes. The count starts again when a request is written.
 */
export const boundReading = (socket: TLSSocket): TLSSocket => {
  let [written, readBefore] = [socket.bytesWritten, socket.bytesRead];
  socket.on('readable', () => {
    if (socket.bytesRead - readBefore <= readMaxBytes) return;
    if (socket.bytesWritten === written) socket.destroy(new EgressError('protocol', tooMuch));
    [written, readBefore] = [socket.bytesWritten, socket.bytesRead - socket.readableLength];
  });
  return socket;
};
