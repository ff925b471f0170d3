import { expect, test } from '@jest/globals';
import { ofObjectStorage, services } from '../../deploy/test/settings.ts';
import { planProcesses } from '../src/processes/plan.ts';
import { secretHolders } from '../src/processes/secret-holders.ts';
import type { StackParts } from '../src/processes/stack-settings.ts';

const urls = (name: string) => ({
  ownerUrl: `owner of ${name}`,
  serviceUrl: `service of ${name}`,
  readerUrl: `reader of ${name}`,
  operatorsUrl: `operators of ${name}`,
});

const parts = (changes: Partial<StackParts> = {}): StackParts => {
  let port = 20_000;
  return {
    cells: ['main'],
    replicas: { orders: 2, custody: 1, webhooks: 1, gateway: 2, operators: 1, courier: 1 },
    port: 8080,
    nextPort: () => port++,
    databases: Object.fromEntries(
      ['orders', 'custody', 'webhooks', 'access', 'courier', 'bus'].map((name) => [
        name,
        urls(name),
      ]),
    ),
    redisUrl: 'redis://here',
    brokers: ['broker:9092'],
    secrets: {
      personalToken: '',
      ordersCursorKey: 'cursor key',
      auditorStateKey: 'auditor-state-key',
      courierDeviceKey: 'device key',
      custodySigningKey: 'signing key',
      webhooksSecretKeys: 'local:key',
      artifactsKeys: 'local:key',
      ordersCustodyKeys: 'local:orders-custody',
      custodyWebhooksKeys: 'local:custody-webhooks',
      cells: {},
      databases: {},
    },
    receiver: { caFile: 'ca', certFile: 'cert', keyFile: 'key' },
    identityFolder: 'identities',
    mailDir: 'mail',
    consoleFolder: 'console app',
    anchorFile: (cell) => `anchor of ${cell}`,
    artifactsDir: 'artifacts',
    auditorFile: (cell) => `auditor of ${cell}`,
    siteFolder: 'site',
    environment: {},
    ...changes,
  };
};

const envOf = (plan: ReturnType<typeof planProcesses>, name: string, replica = 0) =>
  plan.find((process) => process.name === name && process.replica === replica)!.env;

test('every replica is in the addresses that the others are given, and no port is used twice', () => {
  const plan = planProcesses(parts());
  const gateway = envOf(plan, 'gateway', 1);
  const [first, second] = [envOf(plan, 'orders', 0), envOf(plan, 'orders', 1)];
  expect(gateway.ORDERS_ADDRESS).toBe(
    `ipv4:127.0.0.1:${first.GRPC_PORT},127.0.0.1:${second.GRPC_PORT}`,
  );
  expect(envOf(plan, 'custody').ORDERS_URL).toBe(
    `https://127.0.0.1:${first.CONNECT_PORT},https://127.0.0.1:${second.CONNECT_PORT}`,
  );
  expect(gateway.GATEWAY_REPLICAS).toBe('2');
  expect(plan.find(({ name }) => name === 'gateway')?.publicUrl).toBe('http://127.0.0.1:8080');
  const ports = plan
    .flatMap(({ env }) => [
      env.HTTP_PORT ?? env.GRPC_PORT ?? env.OPERATORS_PORT,
      env.CONNECT_PORT,
      env.ADMIN_PORT,
    ])
    .filter((port) => port !== undefined);
  expect(new Set(ports).size).toBe(27);
});

test('the sandbox has a courier, and production has none', () => {
  const plan = planProcesses(parts());
  expect(envOf(plan, 'gateway').COURIER_ADDRESS).toBe(
    `ipv4:127.0.0.1:${envOf(plan, 'courier').GRPC_PORT}`,
  );
  const live = planProcesses(parts({ environment: { ENVIRONMENT: 'production' } }));
  expect(live.filter(({ name }) => name === 'courier')).toEqual([]);
});

test('only the two services of a pair get its message keys', () => {
  const plan = planProcesses(parts({ environment: { ORDERS_CUSTODY_KEYS: 'mine:key' } }));
  const holders = (setting: string, value: string) =>
    new Set(plan.filter(({ env }) => env[setting] === value).map(({ name }) => name));
  expect(holders('ORDERS_CUSTODY_KEYS', 'mine:key')).toEqual(new Set(['orders', 'custody']));
  expect(holders('CUSTODY_WEBHOOKS_KEYS', 'local:custody-webhooks')).toEqual(
    new Set(['custody', 'webhooks']),
  );
  for (const name of ['gateway', 'operators', 'auditor', 'webhooks'])
    expect(envOf(plan, name).ORDERS_CUSTODY_KEYS).toBeUndefined();
});

/** Secrets by their declarations, and URLs and files that have one. */
const isSecret = ({ name, secret = false }: { name: string; secret?: boolean }) =>
  secret || /(DATABASE|REDIS|REPLICA)_URL$|_SIGNING_KEYS_FILE$/.test(name);
const secretsOf = (name: string): string[] =>
  Object.values(services[name]!)
    .filter(isSecret)
    .map((one) => one.name);

test('each process gets the secrets that it declares, and no other', () => {
  const all = [...new Set(Object.keys(services).flatMap(secretsOf)), ...ofObjectStorage.slice(1)];
  const given = [...all, 'AWS_SESSION_TOKEN', 'OPERATOR_TOKEN', 'RECEIVER_SECRET'];
  const environment = Object.fromEntries(
    [...given, 'DATABASE_URL_ORDERS'].map((name) => [name, `given ${name}`]),
  );
  const ofStorage = (name: string) =>
    ['orders', 'custody', 'auditor'].includes(name)
      ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
      : [];
  // the auditor declares it with all settings of a database, and migrates nothing
  const unused = (name: string) => (name === 'auditor' ? ['MIGRATION_DATABASE_URL'] : []);
  for (const { name, env } of planProcesses(parts({ brokers: [], environment }))) {
    const expected = [...secretsOf(name), ...ofStorage(name)];
    const got = Object.keys(environment).filter((one) => env[one] !== undefined);
    expect([name, got.sort()]).toEqual([
      name,
      expected.filter((one) => !unused(name).includes(one)).sort(),
    ]);
  }
  expect(all.filter((name) => !Object.hasOwn(secretHolders, name))).toEqual([]);
});

test('a service gets the URLs of its own database, and of no other', () => {
  const plan = planProcesses(parts());
  const urlsOf = (name: string) =>
    JSON.stringify(envOf(plan, name)).match(/(owner|service|operators) of \w+/g);
  expect(urlsOf('orders')).toEqual(['service of orders', 'owner of orders']);
  expect(urlsOf('gateway')).toEqual(['service of access']);
  expect(urlsOf('operators')).toEqual(['operators of access', 'owner of access']);
});

test('the mover has the databases of all cells as their owners, where there are several', () => {
  const cells = ['main', 'north'];
  const names = ['orders', 'custody', 'webhooks', 'access'].flatMap((name) => [
    name,
    `${name}_north`,
  ]);
  const databases = Object.fromEntries(names.map((name) => [name, urls(name)]));
  const plan = planProcesses(parts({ cells, databases }));
  expect(envOf(plan, 'mover')).toMatchObject({
    OPERATORS_ROLE: 'mover',
    DATABASE_URL: 'operators of access',
    MOVER_ORDERS_URL: 'main=owner of orders;north=owner of orders_north',
    MOVER_WEBHOOKS_URL: 'main=owner of webhooks;north=owner of webhooks_north',
  });
  expect(planProcesses(parts()).some(({ name }) => name === 'mover')).toBe(false);
});

test('webhooks asks the operators service for administrators', () => {
  const plan = planProcesses(parts());
  expect(envOf(plan, 'webhooks').ACCESS_URL).toBe(
    `https://127.0.0.1:${envOf(plan, 'operators').CONNECT_PORT}`,
  );
});

test('the portal has another host than the console, and links name it', () => {
  const plan = planProcesses(parts());
  const { HTTP_PORT, CONSOLE_PORTAL_URL, CONSOLE_PUBLIC_URL, CONSOLE_GATEWAY_URL } = envOf(
    plan,
    'console',
  );
  expect(CONSOLE_PUBLIC_URL).toBe(`http://127.0.0.1:${HTTP_PORT}`);
  expect(CONSOLE_PORTAL_URL).toBe(`http://localhost:${HTTP_PORT}`);
  expect(CONSOLE_GATEWAY_URL).toBe('http://127.0.0.1:8080/api/partner/v1');
  expect(envOf(plan, 'operators').OPERATORS_PORTAL_URL).toBe(CONSOLE_PORTAL_URL);
});

test('without Kafka the bus is a database, without Redis the limiter has none', () => {
  const plan = planProcesses(parts({ brokers: [], redisUrl: null }));
  expect(envOf(plan, 'gateway').REDIS_URL).toBe('');
  expect(envOf(plan, 'orders')).toMatchObject({
    KAFKA_BROKERS: '',
    BUS_DATABASE_URL: 'service of bus',
    BUS_MIGRATION_DATABASE_URL: 'owner of bus',
  });
  expect(envOf(planProcesses(parts()), 'orders')).toMatchObject({
    KAFKA_BROKERS: 'broker:9092',
    BUS_DATABASE_URL: '',
  });
});

test("the environment's settings reach the services, also empty ones, except those of the connections", () => {
  const environment = {
    GATEWAY_READS_PER_MINUTE: '7',
    ENVIRONMENT: 'production',
    DATABASE_URL: 'superuser',
    BUS_DATABASE_URL: 'elsewhere',
    CONNECT_PORT: '1',
    ORDERS_URL: 'elsewhere',
  };
  const own = envOf(planProcesses(parts()), 'webhooks');
  expect(own.WEBHOOKS_EGRESS_ALLOW).toBe('127.0.0.0/8,::1/128');
  const env = envOf(
    planProcesses(parts({ environment: { ...environment, WEBHOOKS_EGRESS_ALLOW: '' } })),
    'webhooks',
  );
  expect(env).toMatchObject({
    GATEWAY_READS_PER_MINUTE: '7',
    ENVIRONMENT: 'production',
    WEBHOOKS_EGRESS_ALLOW: '',
    WEBHOOKS_CA_FILE: 'ca',
    DATABASE_URL: 'service of webhooks',
    BUS_DATABASE_URL: '',
  });
  expect(env.CONNECT_PORT).not.toBe('1');
  expect(env.ORDERS_URL).not.toBe('elsewhere');
});

test('the console has no secret and no certificate, and calls the operators service alone', () => {
  const env = envOf(planProcesses(parts()), 'console');
  expect(env.CONSOLE_OPERATORS_URL).toBe(
    `https://127.0.0.1:${envOf(planProcesses(parts()), 'operators').OPERATORS_PORT}`,
  );
  expect(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && /KEY|DATABASE|REDIS|KAFKA|TLS|ORDERS/.test(name),
    ),
  ).toEqual([]);
});

test('a cell has processes, databases, keys, topics and a log of its own, behind one gateway', () => {
  const { secrets, databases } = parts();
  const ofNorth = {
    custodySigningKey: 'signing key of north',
    auditorStateKey: 'state key of north',
    courierDeviceKey: 'device key of north',
    ordersCustodyKeys: 'local:north-orders',
    custodyWebhooksKeys: 'local:north-webhooks',
  };
  const north = ['orders', 'custody', 'webhooks', 'courier'].map((name) => `${name}_north`);
  const plan = planProcesses(
    parts({
      cells: ['main', 'north'],
      secrets: { ...secrets, cells: { north: ofNorth } },
      databases: { ...databases, ...Object.fromEntries(north.map((name) => [name, urls(name)])) },
    }),
  );
  const namesOf = (cell: string) => [
    ...new Set(plan.filter((one) => one.cell === cell).map(({ name }) => name)),
  ];
  expect(namesOf('north').sort()).toEqual(['auditor', 'courier', 'custody', 'orders', 'webhooks']);
  const [main, other] = ['main', 'north'].map(
    (cell) => plan.find((one) => one.name === 'custody' && one.cell === cell)!.env,
  );
  const own = [
    'DATABASE_URL',
    'CUSTODY_LOG_ORIGIN',
    'CUSTODY_SIGNING_KEYS',
    'CUSTODY_ANCHOR_FILE',
    'CUSTODY_AUDITOR_STATE_FILE',
    'ORDERS_CUSTODY_KEYS',
    'KAFKA_TOPIC_PREFIX',
    'ORDERS_URL',
  ];
  for (const name of own) expect([name, main![name]]).not.toEqual([name, other![name]]);
  const { ORDERS_URL, CUSTODY_ADDRESS } = envOf(plan, 'operators');
  expect(ORDERS_URL).toBe(`main=${main!.ORDERS_URL};north=${other!.ORDERS_URL}`);
  expect(CUSTODY_ADDRESS).toBe(
    `main=ipv4:127.0.0.1:${main!.GRPC_PORT};north=ipv4:127.0.0.1:${other!.GRPC_PORT}`,
  );
});
