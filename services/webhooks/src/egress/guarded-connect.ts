import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { EgressError } from './egress-error.ts';
import { judgeAddress } from './judge-address.ts';
import type { LookedUp } from './looked-up.ts';
import type { EgressPolicy } from './policy.ts';
import type { ResolveHost } from './resolve-host.ts';
import { secureConnection } from './secure-connection.ts';

export interface ConnectOptions {
  readonly policy: EgressPolicy;
  readonly resolve: ResolveHost;
  readonly secureContext: SecureContext;
  /** For look-up, TCP and TLS together. */
  readonly connectTimeoutMs: number;
}

/**
 * The one way out to a receiver (decision 44). Judged are the literal in the URL, every address
 * that the name leads to (one bad one refuses all), and the address that the socket has really
 * reached; the certificate must be the host's of the URL. No byte is sent before all of that.
 */
export const guardedConnect =
  (options: ConnectOptions): buildConnector.connector =>
  (target, callback) => {
    open(options, target.hostname, Number(target.port) || 443).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };

const open = async (
  options: ConnectOptions,
  hostname: string,
  port: number,
): Promise<TLSSocket> => {
  const host = hostname.replace(/^\[|\]$/g, '');
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.connectTimeoutMs);
  const opened: Socket[] = [];
  const late = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () =>
      reject(new EgressError('connect_timeout', 'no connection in time')),
    );
  });
  const work = async () => {
    const addresses = await judged(options, host, port);
    deadline.signal.throwIfAborted();
    const tcp = await reach(options.policy, host, port, addresses, opened);
    return secureConnection(tcp, host, options.secureContext, (socket) => opened.push(socket));
  };
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** The addresses of the host, all of them fit to be called. */
const judged = async (
  { policy, resolve }: ConnectOptions,
  host: string,
  port: number,
): Promise<readonly LookedUp[]> => {
  const literal = isIP(host);
  const addresses = literal
    ? [{ address: host, family: literal }]
    : await resolve(host).catch((cause) => {
        throw new EgressError('dns', 'the name was not found', cause);
      });
  if (addresses.length === 0) throw new EgressError('dns', 'the name has no address');
  for (const { address } of addresses) refuseBad(address, port, policy);
  return addresses;
};

const refuseBad = (address: string, port: number, policy: EgressPolicy): void => {
  const fault = judgeAddress(address, port, policy);
  if (fault) throw new EgressError('egress_refused', fault);
};

/** A TCP connection to one of the judged addresses; whichever family answers first. */
const reach = (
  policy: EgressPolicy,
  host: string,
  port: number,
  addresses: readonly LookedUp[],
  opened: Socket[],
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      // nothing is looked up a second time: a name that changes its answer gains nothing
      lookup: (_, __, done) => done(null, [...addresses]),
    });
    opened.push(socket);
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const refused = cause.code === 'ECONNREFUSED';
      reject(
        new EgressError(refused ? 'connection_refused' : 'connection_failed', 'not reached', cause),
      );
    });
    socket.once('connect', () => {
      try {
        refuseBad(socket.remoteAddress ?? '', port, policy);
        socket.removeAllListeners('error');
        resolve(socket);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
  });
