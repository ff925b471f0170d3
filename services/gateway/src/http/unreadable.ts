import { type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const farewellMs = 1000;

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * What is no HTTP, or never comes to its end, gets a bare status line and the door. Requests that
 * came whole before it on the same connection are answered first: a bare 400 in their place would
 * be taken for their answer, and one in the middle of an answer for a part of it.
 */
export const doorkeeper = (handler: RequestListener) => {
  const underWay = new WeakMap<Socket, Set<ServerResponse>>();
  const leaving = new WeakSet<Socket>();

  const handle: RequestListener = (request, response) => {
    const { socket } = request;
    const open = underWay.get(socket) ?? new Set();
    underWay.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
    handler(request, response);
  };

  const refuse = async (error: NodeJS.ErrnoException, socket: Socket): Promise<void> => {
    if (leaving.has(socket)) return; // what comes after the fault is not read
    leaving.add(socket);
    const owed = [...(underWay.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(owed.map((response) => new Promise((done) => response.once('close', done))));
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else sayGoodbye(socket, statusOf[error.code ?? ''] ?? 400);
  };
  return { handle, refuse };
};

const timedOut = JSON.stringify({
  error: { code: 'REQUEST_TIMEOUT', message: 'The request was not received completely in time.' },
});

/** The end of a connection, also where the client never stops sending. */
const sayGoodbye = (socket: Socket, status: number): void => {
  // a request whose body is incomplete has an operation, and its 408 the body of any error
  const body = status === 408 ? timedOut : '';
  const type = body && 'Content-Type: application/json\r\n';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const late = setTimeout(() => socket.destroy(), farewellMs);
  socket.once('close', () => clearTimeout(late));
};
