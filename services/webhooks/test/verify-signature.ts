import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** What a receiver does (contract 6.4), written from the contract alone. @param now in seconds. */
export const verifySignature = (
  header: string,
  rawBody: Uint8Array | string,
  secret: string,
  now = Date.now() / 1000,
): boolean => {
  const parts = header.split(',').map((part) => part.split('=') as [string, string]);
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(t) || Math.abs(now - Number(t)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, hex]) => Buffer.from(hex, 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
};
