import { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';
import type { DescMethod } from '@bufbuild/protobuf';
import { Failure } from '@pto/errors';
import { type Caller, mayCall, type ProcessName, processNames } from '@pto/proto/callers';
import { rpcName } from './wire.ts';

/**
 * Returns the DNS name in a process's certificate, `<process>.<TLS_IDENTITY_DOMAIN>` (decision 58).
 */
export const identityOf = (process: ProcessName, domain: string): string => `${process}.${domain}`;

/** The process named by a peer's verified certificate, until the certificate expires. */
export interface Peer {
  readonly process: ProcessName;
  /** When the certificate expires, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Returns the process that a verified certificate names. OpenSSL compares the names: only subject
 * alternative names, no wildcards.
 * @returns undefined if the certificate names none of our processes, or several.
 */
export const peerOf = (
  certificate: X509Certificate | undefined,
  domain: string,
): Peer | undefined => {
  if (!certificate) return undefined;
  const named = processNames.filter(
    (process) => certificate.checkHost(identityOf(process, domain), exactly) !== undefined,
  );
  const [process] = named;
  if (process === undefined || named.length > 1) return undefined;
  return { process, until: certificate.validToDate.getTime() };
};

/**
 * Returns the verification of a server's certificate, for TLS: the certificate must name the called
 * process and no other process, as a caller's must.
 */
export const serverIdentity =
  (server: ProcessName, domain: string) =>
  (_: string, { raw }: Pick<PeerCertificate, 'raw'>): Error | undefined =>
    peerOf(new X509Certificate(raw), domain)?.process === server
      ? undefined
      : new Error(`The server's certificate must name ${identityOf(server, domain)} alone.`);

const exactly = { subject: 'never', wildcards: false, partialWildcards: false } as const;

/**
 * Returns a function that determines the peer of a connection at the first call and caches the
 * result: the certificate cannot change during the connection. After the certificate has expired,
 * the function returns undefined.
 */
export const peersByConnection = (domain: string) => {
  const known = new WeakMap<object, Peer | undefined>();
  return (connection: object, certificate: () => X509Certificate | undefined) => {
    if (!known.has(connection)) known.set(connection, peerOf(certificate(), domain));
    const peer = known.get(connection);
    return peer && peer.until > Date.now() ? peer : undefined;
  };
};

/**
 * Returns the caller if the table of callers allows it the RPC (decision 58).
 * @param operator the header's value, percent-encoded; used only in calls of the operators service.
 * @throws Failure CALLER_NOT_ALLOWED, whose message names the calling process and the RPC.
 */
export const authorize = (
  method: DescMethod,
  peer: Peer | undefined,
  operator: string | undefined,
): Caller => {
  const rpc = rpcName(method);
  if (!peer)
    throw new Failure('CALLER_NOT_ALLOWED', `${rpc}: the certificate names no known process.`);
  const caller =
    peer.process === 'operators' && operator !== undefined
      ? { process: peer.process, operator: decode(operator) }
      : { process: peer.process };
  if (!mayCall(method.parent.typeName, method.name, caller))
    throw new Failure('CALLER_NOT_ALLOWED', `${peer.process} may not call ${rpc}.`);
  return caller;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // no operator has this name
  }
};
