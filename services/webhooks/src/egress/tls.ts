import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { ConfigError, type Watched } from '@pto/config';
import type { ClientCertificate } from './client-certificate.ts';
import { EgressError } from './egress-error.ts';

/**
 * Opens TLS over a TCP connection. Resolves when the certificate is verified: it matches the host
 * and a trusted authority issued it. For a resumed session (`tlsSessions`) the certificate was
 * verified earlier.
 * @param signal destroys the TLS socket.
 * @throws EgressError `tls`.
 */
export const secureConnection = (
  tcp: Socket,
  host: string,
  port: number,
  { secureContext, sessions }: TlsState,
  signal: AbortSignal,
): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const receiver = `${host}:${port}`;
    const resumed = sessions.of(receiver);
    const socket = connect({
      socket: tcp,
      host,
      // no SNI for an IP address; its certificate is still verified
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
      secureContext,
      ...(resumed && { session: resumed.session }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    addAbortSignal(signal, socket);
    const failed = (cause: unknown) =>
      reject(new EgressError('tls', 'the TLS handshake with the receiver failed', cause));
    tcp.once('error', failed);
    socket.once('error', failed);
    socket.once('close', failed);
    socket.once('secureConnect', () => {
      tcp.off('error', failed);
      socket.off('error', failed);
      socket.off('close', failed);
      sessions.keep(receiver, socket, resumed);
      resolve(reportAlerts(socket));
    });
  });

/**
 * Destroys a connection with a `tls` error when the receiver sends an alert. With TLS 1.3 a receiver
 * rejects the client certificate after the client's handshake has ended, and undici would report the
 * end of the connection.
 */
const reportAlerts = (socket: TLSSocket): TLSSocket =>
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith('ERR_SSL_'))
      socket.destroy(new EgressError('tls', 'the receiver sent a TLS alert', error));
  });

/** Bytes that one response may have: 64 KiB of body (decision 39) and 16 KiB of headers. */
const readMaxBytes = 80 * 1024;
const tooMuch = `the receiver sent more than ${readMaxBytes / 1024} KiB for one request`;

/**
 * Destroys a connection that receives more than `readMaxBytes` for one request. The limit is
 * checked coarsely, so the connection is destroyed at twice the limit at the latest. undici parses
 * 1xx responses, blank lines and chunk extensions without calling a handler, so no other limit
 * counts their bytes. The count starts again when a request is written.
 */
export const boundReading = (socket: TLSSocket): TLSSocket => {
  let [written, readBefore] = [socket.bytesWritten, socket.bytesRead];
  socket.on('readable', () => {
    if (socket.bytesRead - readBefore <= readMaxBytes) return;
    if (socket.bytesWritten === written) socket.destroy(new EgressError('protocol', tooMuch));
    [written, readBefore] = [socket.bytesWritten, socket.bytesRead - socket.readableLength];
  });
  return socket;
};

/** Maximum time since the verification of the certificate that a stored session is used, in ms. */
const keptMs = 60 * 60 * 1000;
const keptMax = 1024;

type Handshaken = Pick<TLSSocket, 'getProtocol' | 'getSession' | 'isSessionReused' | 'on'>;

interface TlsSession {
  readonly session: Buffer;
  /** When the receiver's certificate was verified. */
  readonly verifiedAt: number;
}

type TlsSessions = ReturnType<typeof tlsSessions>;

/**
 * Returns a store for the last TLS session of up to 1,024 receivers (`host:port`). A full TLS
 * handshake costs both sides more than all else in an attempt, and a receiver that closes each
 * connection would need a full handshake for each attempt. A resumed session needs no certificate
 * verification, so it is used for its host and port only.
 */
export const tlsSessions = (now: () => number = () => performance.now()) => {
  const kept = new Map<string, TlsSession>(); // the oldest first
  const add = (receiver: string, session: Buffer | undefined, verifiedAt: number) => {
    if (!session) return;
    kept.delete(receiver);
    kept.set(receiver, { session, verifiedAt });
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
  };
  return {
    of: (receiver: string): TlsSession | undefined => {
      const one = kept.get(receiver);
      return one && now() - one.verifiedAt < keptMs ? one : undefined;
    },
    /**
     * Stores the session of a connection after its handshake. If the connection resumed the offered
     * session, nothing was verified, and the new session has the old one's age.
     */
    keep: (receiver: string, socket: Handshaken, offered: TlsSession | undefined): void => {
      const at = offered && socket.isSessionReused() ? offered.verifiedAt : now();
      // TLS 1.3 sends sessions after the handshake, earlier versions within it
      if (socket.getProtocol() === 'TLSv1.3')
        socket.on('session', (session) => add(receiver, session, at));
      else add(receiver, socket.getSession(), at);
    },
  };
};

/** What a TLS handshake with a receiver uses. The sessions belong to the context's certificate. */
interface TlsState {
  readonly secureContext: SecureContext;
  readonly sessions: TlsSessions;
}

/** TLS towards receivers. */
export interface EgressTls {
  current(): TlsState;
  /** Calls the listener after each renewal of the client certificate. */
  onRenewal(listener: () => void): void;
}

/**
 * Returns TLS with the authorities that may issue receivers' certificates: those that Node trusts by
 * default, and those of a file (WEBHOOKS_CA_FILE). A receiver that asks for a certificate receives
 * the client certificate. A renewed one begins a new context without stored sessions: a receiver
 * attributes a resumed session to the certificate of its first handshake. Callers should call it
 * only one time per process, because parsing the authorities takes longer than a TLS handshake.
 * @param caFile a path; empty: no file.
 * @throws ConfigError if the file cannot be read or parsed.
 */
export const trust = (
  caFile: string,
  clientCertificate?: Watched<ClientCertificate>,
): EgressTls => {
  const ca = authorities(caFile);
  const open = (): TlsState => ({
    secureContext: createSecureContext({ ca, ...clientCertificate?.current() }),
    sessions: tlsSessions(),
  });
  let current = open();
  clientCertificate?.onChange(() => {
    current = open();
  });
  return {
    current: () => current,
    onRenewal: (listener) => {
      clientCertificate?.onChange(listener);
    },
  };
};

const authorities = (caFile: string): string[] => {
  try {
    const own = caFile === '' ? [] : [readFileSync(caFile, 'utf8')];
    if (caFile !== '') createSecureContext({ ca: own });
    return [...getCACertificates('default'), ...own];
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([
      `WEBHOOKS_CA_FILE: cannot read ${caFile} as PEM certificates: ${message}`,
    ]);
  }
};
