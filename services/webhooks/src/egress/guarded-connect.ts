import { isIP, type Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { rejectBad } from './addresses/judge-address.ts';
import type { LookedUp } from './addresses/looked-up.ts';
import type { EgressPolicy } from './addresses/policy.ts';
import type { ResolveHost } from './addresses/resolve-host.ts';
import { boundReading } from './bounded-reading.ts';
import { EgressError } from './egress-error.ts';
import type { EgressProxy } from './proxy.ts';
import { reach } from './reach.ts';
import { secureConnection } from './secure-connection.ts';
import { type TlsSessions, tlsSessions } from './tls-sessions.ts';
import { openTunnel } from './tunnel.ts';

export interface ConnectOptions {
  readonly policy: EgressPolicy;
  readonly resolve: ResolveHost;
  readonly secureContext: SecureContext;
  /** For look-up, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Without one connections go straight to the receiver, whatever the environment says. */
  readonly egressProxy?: EgressProxy | undefined;
}

/**
 * The one way out to a receiver (decision 44). Judged are the literal in the URL, every address
 * that the name leads to (one bad one rejects all), and the address that the socket has really
 * reached; the certificate must be the host's of the URL. No byte is sent before all of that.
 * Through a proxy the third is its word: it is given a judged address and nothing to look up.
 */
export const guardedConnect = (options: ConnectOptions): buildConnector.connector => {
  const connecting = { ...options, sessions: tlsSessions() };
  return (target, callback) => {
    open(connecting, target.hostname, Number(target.port) || 443).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
};

const open = async (
  options: ConnectOptions & { readonly sessions: TlsSessions },
  hostname: string,
  port: number,
): Promise<TLSSocket> => {
  const host = hostname.replace(/^\[|\]$/g, '');
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.connectTimeoutMs);
  const opened: Socket[] = [];
  const begun = (socket: Socket) => {
    opened.push(socket);
    if (deadline.signal.aborted) socket.destroy();
  };
  let waitsForProxy = false;
  const late = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener('abort', () =>
      reject(
        waitsForProxy
          ? new EgressError('proxy', 'the proxy is not reached in time')
          : new EgressError('connect_timeout', 'no connection in time'),
      ),
    );
  });
  const work = async () => {
    const addresses = await judged(options, host, port);
    deadline.signal.throwIfAborted();
    const waiting = (isForProxy: boolean) => {
      waitsForProxy = isForProxy;
    };
    const tcp = options.egressProxy
      ? await openTunnel(options.egressProxy, port, addresses, { begun, waiting })
      : await reach(options.policy, host, port, addresses, begun);
    return boundReading(await secureConnection(tcp, host, port, options, begun));
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
  for (const { address } of addresses) rejectBad(address, port, policy);
  return addresses;
};
