import type { Egress } from '../egress/index.ts';
import { passesHandshake } from './verdict.ts';
import { newNonce, verificationUrl } from './verification.ts';

const timeoutMostMs = 10_000;
const answerMaxBytes = 4096;
/** Left of the caller's time for the answer to reach it. */
const reserveMs = 500;

/**
 * Asks the endpoint to echo a nonce (contract 6.2). Never rejects: a receiver that cannot be asked
 * has not passed. @param deadline the caller's, in milliseconds since the epoch.
 */
export const handshake = async (
  egress: Egress,
  url: string,
  deadline: number,
): Promise<boolean> => {
  const nonce = newNonce();
  const timeoutMs = Math.min(timeoutMostMs, deadline - reserveMs - Date.now());
  if (timeoutMs <= 0) return false;
  try {
    const answer = await egress.request({
      method: 'GET',
      url: verificationUrl(url, nonce),
      headers: { accept: '*/*' },
      timeoutMs,
      answerMaxBytes,
    });
    return passesHandshake(answer, nonce);
  } catch {
    return false;
  }
};
