import type { ProcessName } from '@pto/proto/callers';

/**
 * For each key ring, the processes that receive it. A process can sign with every key that it has,
 * so no other process may receive the ring (decision 55).
 */
const keyHolders: Readonly<Record<string, readonly ProcessName[]>> = {
  ORDERS_CUSTODY_KEYS: ['orders', 'custody'],
  CUSTODY_WEBHOOKS_KEYS: ['custody', 'webhooks'],
};

/**
 * Returns the variables of the key rings that a process must not receive, each with the value
 * undefined, which removes the variable from the process's environment.
 */
export const withheld = (name: ProcessName): Record<string, undefined> =>
  Object.fromEntries(
    Object.entries(keyHolders)
      .filter(([, holders]) => !holders.includes(name))
      .map(([setting]) => [setting, undefined]),
  );
