import { connect, isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { type EgressPolicy, hostOf, rejectBad } from './address-policy.ts';
import { EgressError } from './egress-error.ts';
import type { LookedUp, ResolveHost } from './resolve-host.ts';
import { boundReading, type EgressTls, secureConnection } from './tls.ts';
import { connected, type EgressProxy, openTunnel } from './tunnel.ts';

export interface ConnectOptions {
  readonly policy: EgressPolicy;
  readonly resolve: ResolveHost;
  readonly tls: EgressTls;
  /** Time limit of DNS lookup, TCP, proxy and TLS together. */
  readonly connectTimeoutMs: number;
  /**
   * The operator's proxy. If it is undefined, connections go directly to the receiver. The
   * environment variable `HTTPS_PROXY` has no effect.
   */
  readonly egressProxy?: EgressProxy | undefined;
}

/**
 * Opens TLS connections to receivers, for undici (decision 44). It judges the address in the URL,
 * or each address that the name resolves to (one bad address rejects all), and then the address
 * that the socket reached. The certificate must match the URL's host. No byte of a request is sent
 * before these checks. A proxy receives a judged address and no name; the address that the proxy
 * reached cannot be judged.
 */
export const guardedConnect =
  (options: ConnectOptions): buildConnector.connector =>
  (target, callback) => {
    open(options, hostOf(target), Number(target.port) || 443).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };

const open = async (options: ConnectOptions, host: string, port: number): Promise<TLSSocket> => {
  const closing = new AbortController(); // destroys the sockets that were opened
  const { signal } = closing;
  const timer = setTimeout(() => closing.abort(), options.connectTimeoutMs);
  let waitsForProxy = false;
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(
        waitsForProxy
          ? new EgressError('proxy', 'connecting to the proxy timed out')
          : new EgressError('connect_timeout', 'connecting timed out'),
      ),
    );
  });
  const work = async () => {
    const addresses = await judged(options, host, port);
    signal.throwIfAborted();
    const waiting = (isForProxy: boolean) => {
      waitsForProxy = isForProxy;
    };
    const tcp = options.egressProxy
      ? await openTunnel(options.egressProxy, port, addresses, waiting, signal)
      : await reach(options.policy, host, port, addresses, signal);
    return boundReading(await secureConnection(tcp, host, port, options.tls.current(), signal));
  };
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    closing.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Returns the addresses of the host after judging each.
 * @throws EgressError `dns`, or `egress_refused` if any address is rejected.
 */
const judged = async (
  { policy, resolve }: ConnectOptions,
  host: string,
  port: number,
): Promise<readonly LookedUp[]> => {
  const literal = isIP(host);
  const addresses = literal
    ? [{ address: host, family: literal }]
    : await resolve(host).catch((cause) => {
        throw new EgressError('dns', `DNS lookup failed (${cause.code ?? 'no code'})`, cause);
      });
  if (addresses.length === 0) throw new EgressError('dns', 'the DNS lookup returned no address');
  const verb = literal ? 'is' : 'resolves to';
  for (const { address } of addresses) rejectBad(address, port, policy, verb);
  return addresses;
};

/**
 * Opens a TCP connection to the first of the judged addresses, IPv4 or IPv6, that accepts a
 * connection. Judges the address that the socket reached again.
 * @param signal destroys the socket.
 * @throws EgressError `connection_refused`, `connection_failed` or `egress_refused`.
 */
export const reach = async (
  policy: EgressPolicy,
  host: string,
  port: number,
  addresses: readonly LookedUp[],
  signal: AbortSignal,
): Promise<Socket> => {
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    // no second DNS lookup: it could return addresses that were not judged
    lookup: (_, __, done) => done(null, [...addresses]),
  });
  await connected(socket, signal, (cause) => {
    const isRefused = cause.code === 'ECONNREFUSED';
    const fault = isRefused ? 'connection_refused' : 'connection_failed';
    return new EgressError(fault, 'the connection failed', cause);
  });
  try {
    // a socket that was reset after connecting has no remote address
    if (socket.remoteAddress === undefined)
      throw new EgressError('connection_failed', 'the connection was reset after connecting');
    rejectBad(socket.remoteAddress, port, policy);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
};
