import { verifySignature as judge } from '@pto/webhook-verifier';

/** Whether a receiver believes these bytes (contract 6.4). @param now in seconds. */
export const verifySignature = async (
  header: string,
  rawBody: Uint8Array | string,
  secret: string,
  now = Date.now() / 1000,
): Promise<boolean> => (await judge({ rawBody, header, secrets: [secret], now })).valid;
