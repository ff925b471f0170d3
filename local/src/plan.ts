import { identityFiles } from '@pto/authority';
import type { ProcessName } from '@pto/proto/callers';
import type { ReceiverFiles } from './authority.ts';
import { identity } from './identities.ts';
import type { Secrets } from './secrets.ts';
import { databaseOf, type ServiceName, serviceNames } from './services.ts';

/** Where one database is, for its roles. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readerUrl: string;
  /** The operator gateway's, in the database `access`; else empty. */
  readonly operatorsUrl: string;
}

/** All that the processes' settings are made of. */
export interface StackParts {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** The first gateway's port. */
  readonly port: number;
  /** Takes a free port. */
  readonly nextPort: () => number;
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly redisUrl: string | null;
  /** Empty: the bus is in the database `bus`. */
  readonly brokers: readonly string[];
  readonly secrets: Secrets;
  readonly receiver: ReceiverFiles;
  /** Certificates of the processes. */
  readonly identityFolder: string;
  readonly mailDir: string;
  /** Where custody's checkpoints are kept outside of its database. */
  readonly anchorFile: string;
  /** Folder of the documentation site; it may be built later. */
  readonly siteFolder: string;
  /** What the auditor has seen. */
  readonly auditorFile: string;
  /** The launcher's own: any setting of a service in it is passed on. */
  readonly environment: NodeJS.ProcessEnv;
}

/** One process of a service, and where it will be reached. */
export interface PlannedProcess {
  readonly name: ProcessName;
  readonly replica: number;
  readonly env: NodeJS.ProcessEnv;
  /** Connect, for operator and services. */
  readonly internalUrl: string;
  readonly metricsUrl: string;
  readonly healthUrl: string;
  /** The partners' side; gateways only. */
  readonly publicUrl: string | undefined;
}

interface Ports {
  readonly name: ServiceName;
  readonly replica: number;
  readonly admin: number;
  readonly connect: number;
  /** gRPC, or the partners' HTTP. */
  readonly main: number;
}

/** Path under which the contract's operations stand. */
export const basePath = '/api/partner/v1';

/** Which processes there are, with which settings. Services find each other by loopback ports. */
export const planProcesses = (parts: StackParts): PlannedProcess[] => {
  const ports = serviceNames.flatMap((name) =>
    Array.from({ length: parts.replicas[name] }, (_, replica): Ports => {
      const first = name === 'gateway' && replica === 0;
      const main = first ? parts.port : parts.nextPort();
      return { name, replica, main, connect: parts.nextPort(), admin: parts.nextPort() };
    }),
  );
  const operators = {
    admin: parts.nextPort(),
    connect: parts.nextPort(),
    main: parts.nextPort(),
  };
  const shared = {
    ...ownDefaults(parts),
    ...parts.environment,
    ...wiring(parts, ports, operators.connect),
  };
  const services = ports.map(({ name, replica, main, connect, admin }) => ({
    name,
    replica,
    env: {
      ...shared,
      ...withheld(name),
      ...identity(name, parts.identityFolder),
      SERVICE_REPLICA: `${replica}`,
      [name === 'gateway' ? 'HTTP_PORT' : 'GRPC_PORT']: `${main}`,
      CONNECT_PORT: `${connect}`,
      ADMIN_PORT: `${admin}`,
      DATABASE_URL: parts.databases[databaseOf[name]]?.serviceUrl,
      MIGRATION_DATABASE_URL: parts.databases[databaseOf[name]]?.ownerUrl,
    },
    internalUrl: name === 'gateway' ? at(admin) : within(connect),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: name === 'gateway' ? at(main) : undefined,
  }));
  return [...services, planOperatorGateway(parts, shared, operators), planAuditor(parts, shared)];
};

/** The operator gateway has a role of its own in the gateway's database. */
const planOperatorGateway = (
  parts: StackParts,
  shared: NodeJS.ProcessEnv,
  { admin, connect, main }: Pick<Ports, 'admin' | 'connect' | 'main'>,
): PlannedProcess => {
  const { certFile, keyFile } = identityFiles(parts.identityFolder, 'operator-gateway');
  return {
    name: 'operator-gateway',
    replica: 0,
    env: {
      ...shared,
      ...withheld('operator-gateway'),
      ...identity('operator-gateway', parts.identityFolder),
      GATEWAY_ROLE: 'operators',
      SERVICE_REPLICA: '0',
      OPERATORS_PORT: `${main}`,
      OPERATORS_TLS_CERT_FILE: certFile,
      OPERATORS_TLS_KEY_FILE: keyFile,
      CONNECT_PORT: `${connect}`,
      ADMIN_PORT: `${admin}`,
      DATABASE_URL: parts.databases.access?.operatorsUrl,
      MIGRATION_DATABASE_URL: parts.databases.access?.ownerUrl,
    },
    internalUrl: within(connect),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: undefined,
  };
};

/** Custody's auditor reads with a role of its own, and is reached by nobody. */
const planAuditor = (parts: StackParts, shared: NodeJS.ProcessEnv): PlannedProcess => {
  const admin = parts.nextPort();
  return {
    name: 'auditor',
    replica: 0,
    env: {
      ...shared,
      ...withheld('auditor'),
      ...identity('auditor', parts.identityFolder),
      CUSTODY_ROLE: 'auditor',
      SERVICE_REPLICA: '0',
      ADMIN_PORT: `${admin}`,
      DATABASE_URL: parts.databases.custody?.readerUrl,
    },
    internalUrl: at(admin),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: undefined,
  };
};

/** The processes that get a key ring: who holds a key can sign with it (decision 55). */
const keyHolders: Readonly<Record<string, readonly ProcessName[]>> = {
  ORDERS_CUSTODY_KEYS: ['orders', 'custody'],
  CUSTODY_WEBHOOKS_KEYS: ['custody', 'webhooks'],
};

/** The key rings of others, as settings that the process does not get. */
const withheld = (name: ProcessName): Record<string, undefined> =>
  Object.fromEntries(
    Object.entries(keyHolders)
      .filter(([, holders]) => !holders.includes(name))
      .map(([setting]) => [setting, undefined]),
  );

const at = (port: number): string => `http://127.0.0.1:${port}`;
/** Of an internal port, which speaks mutual TLS. */
const within = (port: number): string => `https://127.0.0.1:${port}`;

/** What stands unless the environment says otherwise. Set but empty is an answer, too. */
const ownDefaults = (parts: StackParts) => {
  const { port, secrets, receiver, mailDir, anchorFile, auditorFile, siteFolder } = parts;
  return {
    ENVIRONMENT: 'sandbox',
    BIND_HOST: '127.0.0.1',
    PUBLIC_BASE_URL: `${at(port)}${basePath}`,
    GATEWAY_SITE_DIR: siteFolder,
    ORDERS_CURSOR_KEY: secrets.ordersCursorKey,
    CUSTODY_LOG_ORIGIN: 'localhost/custody',
    CUSTODY_SIGNING_KEYS: secrets.custodySigningKey,
    CUSTODY_ANCHOR_FILE: anchorFile,
    CUSTODY_AUDITOR_STATE_FILE: auditorFile,
    CUSTODY_AUDITOR_STATE_KEY: secrets.auditorStateKey,
    OPERATOR_MAIL: 'operator@localhost',
    WEBHOOKS_SECRET_KEYS: secrets.webhooksSecretKeys,
    ORDERS_CUSTODY_KEYS: secrets.ordersCustodyKeys,
    CUSTODY_WEBHOOKS_KEYS: secrets.custodyWebhooksKeys,
    WEBHOOKS_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    WEBHOOKS_CA_FILE: receiver.caFile,
    MAIL_DIR: mailDir,
    MAIL_FROM: 'partner-api@localhost',
  };
};

/** Settings that only the launcher decides. */
const wiring = (parts: StackParts, ports: readonly Ports[], accessPort: number) => {
  const of = (name: ServiceName) => ports.filter((process) => process.name === name);
  const grpc = (name: ServiceName) =>
    `ipv4:${of(name)
      .map(({ main }) => `127.0.0.1:${main}`)
      .join(',')}`;
  const connect = (name: ServiceName) =>
    of(name)
      .map((process) => within(process.connect))
      .join(',');
  const bus = parts.brokers.length > 0 ? undefined : parts.databases.bus;
  return {
    GATEWAY_REPLICAS: `${of('gateway').length}`,
    ORDERS_ADDRESS: grpc('orders'),
    CUSTODY_ADDRESS: grpc('custody'),
    WEBHOOKS_ADDRESS: grpc('webhooks'),
    ORDERS_URL: connect('orders'),
    CUSTODY_URL: connect('custody'),
    WEBHOOKS_URL: connect('webhooks'),
    ACCESS_URL: within(accessPort),
    REDIS_URL: parts.redisUrl ?? '',
    KAFKA_BROKERS: parts.brokers.join(','),
    BUS_DATABASE_URL: bus?.serviceUrl ?? '',
    BUS_MIGRATION_DATABASE_URL: bus?.ownerUrl ?? '',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
  };
};
