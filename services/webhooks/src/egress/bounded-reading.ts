import type { TLSSocket } from 'node:tls';
import { EgressError } from './egress-error.ts';

/** Twice what is used of an answer: 64 KiB of its body (decision 39), 16 KiB of its head. */
const readMaxBytes = 160 * 1024;

/**
 * Ends a connection on which more comes than belongs to one answer. Time alone does not bound what
 * a receiver costs: interim answers, blank lines or a chunk's extension, which reach no handler and
 * so no limit, would be parsed as fast as they come, and delay everybody else. What comes counts
 * from our last request on, since nobody but we can write one.
 */
export const boundReading = (socket: TLSSocket): TLSSocket => {
  let [written, readBefore] = [socket.bytesWritten, socket.bytesRead];
  socket.on('readable', () => {
    if (socket.bytesWritten !== written)
      [written, readBefore] = [socket.bytesWritten, socket.bytesRead - socket.readableLength];
    if (socket.bytesRead - readBefore > readMaxBytes)
      socket.destroy(new EgressError('protocol', 'more than an answer'));
  });
  return socket;
};
