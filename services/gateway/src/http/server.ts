import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { type ConnectionBounds, limitConnections } from './limit-connections.ts';
import { originForm } from './origin-form.ts';
import { doorkeeper } from './unreadable.ts';

const headersTimeoutMs = 3000;
const requestTimeoutMs = 10_000;
const checkTimeoutsEveryMs = 500;
/** Longer than load balancers keep theirs, so that they never meet one that we have just closed. */
const keepAliveMs = 65_000;
const stopTimeoutMs = 8000;
/**
 * A client asks again on a connection that it has kept: closed at that moment, its request is lost.
 * So whoever stops goes on until nobody has asked for a while, each answer saying `close`.
 */
const drainMaxMs = 4000;
/**
 * A connection on which nothing moves for this long, twice where an answer had been read in part,
 * ends: somebody does not read. Longer than the longest answer takes (a webhook's test, 14 s).
 */
const stillMs = 16_000;

export interface HttpServer {
  readonly port: number;
  /** Lets its clients go, takes no new ones, and waits up to 8 s for the answers under way. */
  stop(): Promise<void>;
}

/** Node's HTTP server with deadlines on everything a slow or hostile client can draw out. */
export const startHttpServer = async (
  handler: RequestListener,
  options: ConnectionBounds & {
    host: string;
    port: number;
    drainMs: number;
    telemetry: Telemetry;
  },
): Promise<HttpServer> => {
  let askedAt = 0;
  const door = doorkeeper((request, response) => {
    askedAt = Date.now();
    if ((request.headersDistinct.host?.length ?? 0) > 1) {
      response.writeHead(400, { Connection: 'close' }).end(); // RFC 9112, 3.2
      return;
    }
    request.url = originForm(request.url ?? '/');
    handler(request, response);
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkTimeoutsEveryMs,
      keepAliveTimeout: keepAliveMs,
    },
    door.handle,
  );
  server.setTimeout(stillMs);
  limitConnections(server, options, options.telemetry);
  // a body is asked for when the checks before it have passed
  server.on('checkContinue', door.handle);
  server.on('clientError', door.refuse);
  // a tunnel is not to be had; without a word Node would hang up in silence
  server.on('connect', (_, socket) => door.refuse(new Error('CONNECT'), socket as Socket));
  return {
    port: await listening(server, options.port, options.host),
    stop: async () => {
      const begun = Date.now();
      askedAt = begun;
      const quietAt = () => Math.min(askedAt + options.drainMs, begun + drainMaxMs);
      while (Date.now() < quietAt()) await sleep(quietAt() - Date.now());
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const left = begun + stopTimeoutMs - Date.now();
      const last = setTimeout(() => server.closeAllConnections(), left);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(last);
    },
  };
};
