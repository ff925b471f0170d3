import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientAddress, isTrustedProxy } from '@pto/access';
import { listening } from '@pto/lifecycle';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { GatewaySettings, Timings } from '../../config.ts';
import { rejectInvalid } from './client-errors.ts';
import { orderRequests } from './request-order.ts';

const checkTimeoutsEveryMs = 500;
/**
 * Time after which an idle connection is closed, in ms. Load balancers usually stop the reuse of an
 * idle connection earlier, so that they do not send on a closed one.
 */
const keepAliveMs = 65_000;
const stopTimeoutMs = 8000;
/**
 * Maximum time of a drain, in ms. A client reuses its connection: a request sent while the server
 * closes the connection is lost. So a stopping server sets `Connection: close` in each response and
 * waits until no request has come for `drainMs`, but at most this long.
 */
const drainMaxMs = 4000;

type ServerOptions = Pick<
  GatewaySettings,
  'host' | 'drainMs' | 'connectionsMax' | 'connectionsPerAddress' | 'trustedProxies'
> & { readonly port: number; readonly timings: Timings; readonly telemetry: Telemetry };

/** Starts Node's HTTP server with time limits for slow clients and limits of connections. */
export const startHttpServer = async (handler: RequestListener, options: ServerOptions) => {
  const { timings } = options;
  let requestedAt = 0;
  const server = createServer({
    headersTimeout: timings.headersMs,
    requestTimeout: timings.requestMs,
    connectionsCheckingInterval: checkTimeoutsEveryMs,
    keepAliveTimeout: keepAliveMs,
  });
  limitConnections(server, options);
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
  // read-body.ts sends 100 Continue, after the checks that come before the body
  server.on('checkContinue', handle);
  const reject = rejectInvalid(order);
  server.on('clientError', reject);
  // CONNECT is not supported; without this handler Node closes the connection without a response
  server.on('connect', (_, socket) => reject(new Error('CONNECT'), socket as Socket));
  return {
    port: await listening(server, options.port, options.host),
    /**
     * Waits for the drain, then accepts no new connections, closes idle ones and waits for unfinished
     * responses. All connections are closed 8 s after the call at the latest.
     */
    stop: async (): Promise<void> => {
      const begun = performance.now();
      requestedAt = begun;
      const quietAt = () => Math.min(requestedAt + options.drainMs, begun + drainMaxMs);
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

/**
 * Closes each connection beyond the limits as soon as it is accepted, without a response. One
 * address (IPv6: one /64) is limited only while more than half of `connectionsMax` are open: many
 * partners can share one address. Trusted proxies are exempt from the limit of an address, because
 * each of them forwards the requests of many clients.
 */
const limitConnections = (
  server: Server,
  { connectionsMax, connectionsPerAddress, trustedProxies, telemetry }: ServerOptions,
): void => {
  const rejected = new Counter({
    name: 'gateway_connections_rejected_total',
    help: 'Connections closed when they were accepted, by the limit that was reached: replica or address',
    labelNames: ['bound'],
    registers: [telemetry.metrics],
  });
  // both series exist from the start: else the first rejection would not count as an increase
  for (const bound of ['replica', 'address']) rejected.inc({ bound }, 0);
  const open = new Map<string, number>();
  const count = (address: string, change: 1 | -1): number => {
    const now = (open.get(address) ?? 0) + change;
    if (now === 0) open.delete(address);
    else open.set(address, now);
    return now;
  };

  let total = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => rejected.inc({ bound: 'replica' }));
  server.on('connection', (socket: Socket) => {
    total++;
    socket.once('close', () => total--);
    const { remoteAddress } = socket;
    if (isTrustedProxy(remoteAddress, trustedProxies)) return;
    const address = clientAddress(remoteAddress, undefined, trustedProxies);
    socket.once('close', () => count(address, -1));
    if (count(address, 1) <= connectionsPerAddress || total <= connectionsMax / 2) return;
    rejected.inc({ bound: 'address' });
    socket.destroy();
  });
};
