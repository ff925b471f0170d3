import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestOrder } from './request-order.ts';

const closeTimeoutMs = 1000;

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Returns a handler of connections on which the client sends invalid or incomplete HTTP. It closes
 * the connection with a status line and no body (408 has one). Complete requests that arrived
 * before on the same connection get their responses first: the client would take an earlier status
 * line for one of these responses. A request that has got its response although its body is not
 * complete gets no second one.
 */
export const rejectInvalid = (order: RequestOrder) => {
  const leaving = new WeakSet<Duplex>();
  return async (error: NodeJS.ErrnoException, socket: Duplex): Promise<void> => {
    if (leaving.has(socket)) return; // bytes after an invalid request are not read
    leaving.add(socket);
    const requests = order.of(socket);
    if (!requests) return void socket.destroy(); // a TLS handshake that failed
    requests.isOver = true;
    const pending = [...requests.open].filter(({ req }) => req.complete);
    await Promise.all(
      pending.map((response) => new Promise((done) => response.once('close', done))),
    );
    const { last } = requests;
    const isAnswered = last?.writableEnded === true && !last.req.complete;
    if (!socket.writable || isAnswered || error.code === 'ECONNRESET') socket.destroy();
    else closeWith(socket, statusOf[error.code ?? ''] ?? 400);
  };
};

const timedOut = JSON.stringify({
  error: { code: 'REQUEST_TIMEOUT', message: 'The request was not received completely in time.' },
});

/** Sends a status line and closes the connection, also if the client never stops sending. */
const closeWith = (socket: Duplex, status: number): void => {
  // a 408 belongs to an operation, so it has the body of an API error
  const body = status === 408 ? timedOut : '';
  const type = body && 'Content-Type: application/json\r\n';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), closeTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
};
