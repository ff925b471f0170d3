import type { ProcessName } from '@pto/proto/callers';

/**
 * The processes that receive each key ring. A process with a key can sign with it (decision 55).
 */
const keyHolders: Readonly<Record<string, readonly ProcessName[]>> = {
  ORDERS_CUSTODY_KEYS: ['orders', 'custody'],
  CUSTODY_WEBHOOKS_KEYS: ['custody', 'webhooks'],
};

/**
 * Returns undefined for the key rings that a process must not receive, so that they are not passed
 * on.
 */
export const withheld = (name: ProcessName): Record<string, undefined> =>
  Object.fromEntries(
    Object.entries(keyHolders)
      .filter(([, holders]) => !holders.includes(name))
      .map(([setting]) => [setting, undefined]),
  );
