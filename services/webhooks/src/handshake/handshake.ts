import { randomBytes } from 'node:crypto';
import type { Egress } from '../egress/egress.ts';
import { EgressError } from '../egress/egress-error.ts';
import { publicFault } from '../egress/public-reason.ts';
import { type HandshakeResult, rejectionOf } from './proof.ts';

const timeoutMostMs = 10_000;
const responseMaxBytes = 4096;

/**
 * Sends a GET with a nonce that the endpoint must return (contract 6.2). Never rejects: an error is
 * a result with a reason. endpoints/verify-endpoint.ts runs the handshake when a partner creates an
 * endpoint, changes its URL or calls `/verify`.
 * @param until when the handshake must have ended, a time of `performance.now()`.
 */
export const handshake = async (
  egress: Egress,
  endpoint: { readonly id: string; readonly url: string },
  until: number,
): Promise<HandshakeResult> => {
  const { id: endpointId, url } = endpoint;
  const challenge = { nonce: newNonce(), decoy: randomBytes(16).toString('hex') };
  const timeoutMs = Math.min(timeoutMostMs, until - performance.now());
  if (timeoutMs <= 0) return { reason: 'timeout' };
  try {
    const response = await egress.request({
      endpointId,
      method: 'GET',
      url: verificationUrl(url, challenge.nonce),
      headers: { accept: '*/*', 'X-Service-Handshake': challenge.decoy },
      timeoutMs,
      responseMaxBytes,
    });
    return { reason: rejectionOf(response, challenge), statusCode: response.statusCode };
  } catch (error) {
    return {
      reason: error instanceof EgressError ? publicFault(error.fault) : 'protocol',
      error,
    };
  }
};

/** Returns 32 random bytes in base64url (decision 35). */
export const newNonce = (): string => randomBytes(32).toString('base64url');

/** Returns the URL with `verification=<nonce>` appended to its unchanged query. */
export const verificationUrl = (url: string, nonce: string): URL => {
  const target = new URL(url);
  target.search += `${target.search === '' ? '?' : '&'}verification=${nonce}`;
  return target;
};
