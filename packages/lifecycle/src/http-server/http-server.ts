import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from '../service.ts';
import { rejectInvalid } from './client-errors.ts';
import { orderRequests } from './request-order.ts';
import { type HttpTimings, httpTimings } from './timings.ts';

const checkTimeoutsEveryMs = 500;
/**
 * Time after which an idle connection is closed, in ms. Load balancers usually stop the reuse of an
 * idle connection earlier, so that they do not send on a closed one.
 */
const keepAliveMs = 65_000;
const stopTimeoutMs = 8000;
/**
 * Maximum time of a drain, in ms. A client reuses its connection: a request sent while the server
 * closes the connection is lost. So a stopping server waits until no request has come for `drainMs`,
 * but at most this long. A handler sets `Connection: close` in each response meanwhile.
 */
const drainMaxMs = 4000;

interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly timings?: HttpTimings;
  /** A stopping server begins to close connections when no request has arrived for this long. */
  readonly drainMs?: number;
  /** Limits the connections of the server, before it listens. */
  readonly limit: (server: Server) => void;
  /** Certificate and key; absent: HTTP without TLS. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key' | 'minVersion'>;
}

/**
 * Starts the HTTP server of a public process (decision 76): gateway, console and operators. A
 * connection has one request under way (request-order.ts), every wait for a client has a limit, and
 * invalid HTTP gets a status.
 * @returns `server` to replace the certificate; `stop` ends within 8 s.
 */
export const startHttpServer = async (handler: RequestListener, options: HttpServerOptions) => {
  const { timings = httpTimings, drainMs = 0, tls } = options;
  let requestedAt = 0;
  const bounds = {
    headersTimeout: timings.headersMs,
    requestTimeout: timings.requestMs,
    connectionsCheckingInterval: checkTimeoutsEveryMs,
    keepAliveTimeout: keepAliveMs,
  };
  const server = tls
    ? createTlsServer({ ...tls, ...bounds, handshakeTimeout: timings.headersMs })
    : createServer(bounds);
  options.limit(server);
  const order = orderRequests(server, timings);
  server.setTimeout(timings.stillMs, (socket) => {
    const open = order.of(socket)?.open ?? [];
    const isWorking = [...open].some((response) => !response.headersSent);
    if (!isWorking) socket.destroy();
  });
  const handle = order.noted((request, response) => {
    requestedAt = performance.now();
    if ((request.headersDistinct.host?.length ?? 0) > 1) {
      response.writeHead(400, { Connection: 'close' }).end(); // RFC 9112, 3.2: one Host only
      return;
    }
    request.url = originForm(request.url ?? '/');
    handler(request, response);
  });
  server.on('request', handle);
  // the reader of a body sends 100 Continue, after the checks that come before the body
  server.on('checkContinue', handle);
  const reject = rejectInvalid(order);
  server.on('clientError', reject);
  // CONNECT is not supported; without this handler Node closes the connection without a response
  server.on('connect', (_, socket) => reject(new Error('CONNECT'), socket as Socket));
  return {
    server,
    port: await listening(server, options.port, options.host),
    /**
     * Waits for the drain, then accepts no new connections, closes idle ones and waits for unfinished
     * responses. All connections are closed 8 s after the call at the latest.
     */
    stop: async (): Promise<void> => {
      const begun = performance.now();
      requestedAt = begun;
      const quietAt = () => Math.min(requestedAt + drainMs, begun + drainMaxMs);
      while (performance.now() < quietAt()) await sleep(quietAt() - performance.now());
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const left = begun + stopTimeoutMs - performance.now();
      const last = setTimeout(() => server.closeAllConnections(), left);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(last);
    },
  };
};

/**
 * Returns a request's target as path and query. The target `http://host/path`, which every server
 * must accept (RFC 9112, 3.2.2), becomes `/path`. Any other target that does not begin with `/`
 * becomes `/`. So Express never receives a target that it cannot parse: Express would respond in
 * HTML, before the key is checked.
 */
export const originForm = (target: string): string => {
  if (target.startsWith('/')) return target;
  const [, rest = '/'] = /^https?:\/\/[^/?#]*([/?].*)?$/i.exec(target) ?? [];
  return rest.startsWith('/') ? rest : `/${rest}`;
};
