/** Checks Ed25519 signatures by Web Crypto, which Node and browsers have. */
import { Rejection } from '../rejection.ts';
import type { VerifierKey } from './vkey.ts';

/** This program has no Ed25519: whether a signature holds is unknown. */
export class Unchecked extends Rejection {
  constructor(why: string) {
    super(`this program cannot check signatures: ${why}`);
  }
}

/**
 * Whether a signature holds.
 * @throws Unchecked without Ed25519.
 */
export const isSignedBy = async (
  { publicKey }: Pick<VerifierKey, 'publicKey'>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // Browsers show it to pages that came over HTTPS only, and the types do not know that.
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (!subtle) throw new Unchecked('crypto.subtle is missing; is the page on HTTPS?');
  try {
    const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', key, signature, signed);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError')
      throw new Unchecked('its crypto.subtle does not know Ed25519');
    return false;
  }
};
