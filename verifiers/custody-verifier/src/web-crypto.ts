import { Rejection } from './rejection.ts';

/** Thrown if this program cannot verify a signature. It is then unknown whether it is valid. */
export class Unchecked extends Rejection {
  constructor(why: string) {
    super(`this program cannot check signatures: ${why}`);
  }
}

/** A public key in its raw form, and how Web Crypto reads it and verifies its signatures. */
export interface RawKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly form: string | { readonly name: string; readonly namedCurve: string };
  readonly algorithm: string | { readonly name: string; readonly hash: string };
}

/**
 * Whether a signature is valid, by Web Crypto, which Node and browsers have.
 * @throws Unchecked if this program has no such algorithm.
 */
export const isSignedBy = async (
  { bytes, form, algorithm }: RawKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  // browsers offer crypto.subtle only to pages from HTTPS or from localhost; the types do not say
  // so
  const subtle: typeof crypto.subtle | undefined = globalThis.crypto?.subtle;
  if (!subtle) throw new Unchecked('crypto.subtle is missing; is the page on HTTPS?');
  try {
    const key = await subtle.importKey('raw', bytes, form, false, ['verify']);
    return await subtle.verify(algorithm, key, signature, signed);
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError')
      throw new Unchecked(
        `its crypto.subtle does not know ${typeof form === 'string' ? form : form.namedCurve}`,
      );
    return false;
  }
};
