import type { ProcessName } from '@pto/proto/callers';

type Holder = ProcessName | 'console' | 'mover';

const withDatabase: readonly Holder[] = ['orders', 'custody', 'webhooks', 'operators', 'courier'];
const onTheBus: readonly Holder[] = ['orders', 'custody', 'webhooks'];
const withObjectStorage: readonly Holder[] = ['orders', 'custody', 'auditor'];

/**
 * For each setting that is a secret or has a password, the processes that read it. A process can
 * sign with every key and change every database that it has, so no other process may receive one
 * (decision 55). The test compares the list with the processes' own declarations.
 */
export const secretHolders: Readonly<Record<string, readonly Holder[]>> = {
  DATABASE_URL: [...withDatabase, 'gateway', 'auditor', 'mover'],
  MOVER_ORDERS_URL: ['mover'],
  MOVER_CUSTODY_URL: ['mover'],
  MOVER_WEBHOOKS_URL: ['mover'],
  MIGRATION_DATABASE_URL: withDatabase,
  DATABASE_REPLICA_URL: ['orders', 'custody'],
  BUS_DATABASE_URL: onTheBus,
  BUS_MIGRATION_DATABASE_URL: onTheBus,
  KAFKA_PASSWORD: onTheBus,
  REDIS_URL: ['gateway', 'operators'],
  SMTP_URL: ['webhooks', 'auditor'],
  ORDERS_CUSTODY_KEYS: ['orders', 'custody'],
  CUSTODY_WEBHOOKS_KEYS: ['custody', 'webhooks'],
  ORDERS_CURSOR_KEY: ['orders'],
  ARTIFACTS_KEYS: ['orders'],
  CUSTODY_SIGNING_KEYS: ['custody'],
  CUSTODY_SIGNING_KEYS_FILE: ['custody'],
  CUSTODY_AUDITOR_STATE_KEY: ['auditor'],
  WEBHOOKS_SECRET_KEYS: ['webhooks'],
  COURIER_DEVICE_KEY: ['courier'],
  WEBHOOKS_EGRESS_PROXY: ['webhooks'],
  CONSOLE_OPENID_KEY: ['console'],
  AWS_ACCESS_KEY_ID: withObjectStorage,
  AWS_SECRET_ACCESS_KEY: withObjectStorage,
  AWS_SESSION_TOKEN: withObjectStorage,
};

/** Secrets that only the launcher and command lines beside it read. */
const ofTheLauncher = /^(?:DATABASE_URL_\w+|OPERATOR_TOKEN|RECEIVER_SECRET)$/;

/**
 * Returns the variables that a process must not receive, each with the value undefined, which
 * removes the variable from the process's environment.
 * @param environment of the launcher.
 */
export const withheld = (
  name: Holder,
  environment: NodeJS.ProcessEnv,
): Record<string, undefined> => {
  const ofOthers = Object.keys(secretHolders).filter((one) => !secretHolders[one]!.includes(name));
  const ofLauncher = Object.keys(environment).filter((one) => ofTheLauncher.test(one));
  return Object.fromEntries([...ofOthers, ...ofLauncher].map((setting) => [setting, undefined]));
};
