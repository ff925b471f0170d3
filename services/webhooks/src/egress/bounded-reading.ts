import type { TLSSocket } from 'node:tls';
import { EgressError } from './egress-error.ts';

/** What is used of an answer is 64 KiB of its body (decision 39), and 16 KiB of its head. */
const readMaxBytes = 80 * 1024;

/**
 * Ends a connection on which more comes than belongs to one answer: at the latest at twice the
 * limit. Time alone does not bound what a receiver costs: interim answers, blank lines or a chunk's
 * extension, which reach no handler and so no limit, would be parsed as fast as they come, and delay
 * everybody else. So much may come for each request of ours, since nobody but we can write one.
 */
export const boundReading = (socket: TLSSocket): TLSSocket => {
  let [written, readBefore] = [socket.bytesWritten, socket.bytesRead];
  socket.on('readable', () => {
    if (socket.bytesRead - readBefore <= readMaxBytes) return;
    if (socket.bytesWritten === written)
      socket.destroy(new EgressError('protocol', 'more than an answer'));
    [written, readBefore] = [socket.bytesWritten, socket.bytesRead - socket.readableLength];
  });
  return socket;
};
