/** The phone's own key (decision 85). It is made once, and stays in this browser. */
import { openStore } from './store.ts';

const curve = { name: 'ECDSA', namedCurve: 'P-256' };

export interface Device {
  /** An uncompressed point of P-256: 65 bytes in base64url. */
  readonly key: string;
  /** Returns ECDSA with SHA-256 over the text: 64 bytes in base64url. */
  sign(statement: string): Promise<string>;
}

/** Returns the phone's key; makes it at its first use. */
export const openDevice = async (): Promise<Device> => {
  const store = await openStore();
  let pair = await store.get('device', 'pair');
  if (!pair) {
    const made = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
    // of two pages that make one, the first one stored counts for both
    const writing = store.transaction('device', 'readwrite');
    pair = await writing.store.get('pair');
    if (!pair) {
      pair = made;
      await writing.store.put(made, 'pair');
    }
    await writing.done;
    await navigator.storage?.persist?.();
  }
  const { privateKey, publicKey } = pair;
  return {
    key: base64url(await crypto.subtle.exportKey('raw', publicKey)),
    sign: async (statement) => {
      const bytes = new TextEncoder().encode(statement);
      const by = { name: 'ECDSA', hash: 'SHA-256' };
      return base64url(await crypto.subtle.sign(by, privateKey, bytes));
    },
  };
};

/** Forgets the key: a phone that gets another driver makes another one. */
export const forgetDevice = async (): Promise<void> => (await openStore()).delete('device', 'pair');

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
