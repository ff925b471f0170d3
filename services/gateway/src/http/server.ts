import { createServer, type RequestListener, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { listening } from '@pto/lifecycle';

const headersTimeoutMs = 3000;
const requestTimeoutMs = 10_000;
const checkTimeoutsEveryMs = 500;
/** Longer than load balancers keep theirs, so that they never meet one that we have just closed. */
const keepAliveMs = 65_000;
const stopTimeoutMs = 8000;
const farewellMs = 1000;

export interface HttpServer {
  readonly port: number;
  /** Takes no new connections, and waits up to 8 s for the answers under way. */
  stop(): Promise<void>;
}

/** Node's HTTP server with deadlines on everything a slow or hostile client can draw out. */
export const startHttpServer = async (
  handler: RequestListener,
  options: { host: string; port: number },
): Promise<HttpServer> => {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkTimeoutsEveryMs,
      keepAliveTimeout: keepAliveMs,
    },
    handler,
  );
  // a body is asked for when the checks before it have passed
  server.on('checkContinue', handler);
  server.on('clientError', refuseUnreadable);
  return {
    port: await listening(server, options.port, options.host),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const last = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(last);
    },
  };
};

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is no HTTP, or never comes to its end, gets a bare status line and the door. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = statusOf[error.code ?? ''] ?? 400;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  socket.setTimeout(farewellMs, () => socket.destroy());
};
