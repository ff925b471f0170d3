import { identityFiles } from '@pto/authority';
import type { ProcessName } from '@pto/proto/callers';
import type { ReceiverFiles } from '../secrets/authority.ts';
import { identity } from '../secrets/identities.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { databaseOf, type ServiceName, serviceNames } from './services.ts';

/** URLs of one database, one for each of its roles. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readerUrl: string;
  /** URL for the operator gateway's role in the database `access`; empty for other databases. */
  readonly operatorsUrl: string;
}

/** Everything from which the settings of the processes are made. */
export interface StackParts {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** Port of the first gateway. */
  readonly port: number;
  /** Returns a free port. */
  readonly nextPort: () => number;
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly redisUrl: string | null;
  /** Addresses of Kafka; empty: the bus is in the database `bus`. */
  readonly brokers: readonly string[];
  readonly secrets: Secrets;
  readonly receiver: ReceiverFiles;
  /** Folder of the processes' certificates. */
  readonly identityFolder: string;
  readonly mailDir: string;
  /** File of custody's checkpoints outside of its database. */
  readonly anchorFile: string;
  /** Folder of the documentation site, which may be built later. */
  readonly siteFolder: string;
  /** File of the auditor's state. */
  readonly auditorFile: string;
  /** The launcher's own environment; a service's setting in it is passed on. */
  readonly environment: NodeJS.ProcessEnv;
}

/** One process of a service, its settings and its URLs. */
export interface PlannedProcess {
  readonly name: ProcessName;
  readonly replica: number;
  readonly env: NodeJS.ProcessEnv;
  /** URL of the Connect server, for the operator gateway and for services. */
  readonly internalUrl: string;
  readonly metricsUrl: string;
  readonly healthUrl: string;
  /** URL of the public API; undefined for processes other than gateways. */
  readonly publicUrl: string | undefined;
}

interface Ports {
  readonly name: ServiceName;
  readonly replica: number;
  readonly admin: number;
  readonly connect: number;
  /** Port of gRPC, or of HTTP for partners. */
  readonly main: number;
}

/** Path prefix of the contract's operations. */
export const basePath = '/api/partner/v1';

/** Plans all processes with their settings. Services reach each other by loopback ports. */
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

/** Plans the operator gateway, which has its own role in the gateway's database. */
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

/** Plans custody's auditor. It has its own role that can only read, and no process calls it. */
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
const withheld = (name: ProcessName): Record<string, undefined> =>
  Object.fromEntries(
    Object.entries(keyHolders)
      .filter(([, holders]) => !holders.includes(name))
      .map(([setting]) => [setting, undefined]),
  );

const at = (port: number): string => `http://127.0.0.1:${port}`;
/** Returns the URL of an internal port, which requires mutual TLS. */
const within = (port: number): string => `https://127.0.0.1:${port}`;

/**
 * Default settings, which the environment may override. A variable that is set but empty counts as
 * set.
 */
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

/** Settings that the launcher sets and the environment cannot override. */
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
