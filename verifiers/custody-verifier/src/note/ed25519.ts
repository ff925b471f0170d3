/** Verifies Ed25519 signatures with Web Crypto, which Node and browsers have. */
import { Rejection } from '../rejection.ts';
import type { VerifierKey } from './vkey.ts';

/** Thrown if this program has no Ed25519. It is then unknown whether a signature is valid. */
export class Unchecked extends Rejection {
  constructor(why: string) {
    super(`this program cannot check signatures: ${why}`);
  }
}

/** Whether a signature is valid. @throws Unchecked if this program has no Ed25519. */
export const isSignedBy = async (
  { publicKey }: Pick<VerifierKey, 'publicKey'>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // browsers offer crypto.subtle only to pages from HTTPS or from localhost; the types do not say
  // so
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
