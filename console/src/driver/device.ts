/**
 * The phone's own keys (decision 85): one for each driver who uses it. They stay in this browser. A
 * driver who gets the phone back finds the key that signed the records which were not sent.
 */
import type { Device } from '@pto/order-steps/device-record';
import { openStore, type StoredDevice } from './store.ts';

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
/** Keys of so many drivers are tried, newest first, before the phone makes another one. */
const triedMax = 10;

/** Returns the phone's devices in the order in which a link is opened with them, a new one at last. */
export async function* devices(): AsyncGenerator<Device> {
  const stored = await (await openStore()).getAll('devices');
  for (const one of stored.toReversed().slice(0, triedMax)) yield deviceOf(one);
  const pair = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
  const key = base64url(await crypto.subtle.exportKey('raw', pair.publicKey));
  await (await openStore()).add('devices', { key, pair });
  await navigator.storage?.persist?.();
  yield deviceOf({ key, pair });
}

/** Returns the device of a key; undefined: the phone has it no more. */
export const findDevice = async (key: string): Promise<Device | undefined> => {
  const stored = await (await openStore()).getAll('devices');
  const found = stored.find((one) => one.key === key);
  return found && deviceOf(found);
};

const deviceOf = ({ key, pair: { privateKey } }: StoredDevice): Device => ({
  key,
  sign: async (statement) => {
    const bytes = new TextEncoder().encode(statement);
    const by = { name: 'ECDSA', hash: 'SHA-256' };
    return base64url(await crypto.subtle.sign(by, privateKey, bytes));
  },
});

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
