import type { IdentityFiles } from '@pto/authority';
import type { provision } from '@pto/database/provision';
import type { Secrets } from '../secrets/secrets.ts';

/** URLs of one database, one for each of its roles. */
export type DatabaseUrls = Awaited<ReturnType<typeof provision>>;

/** Everything from which the settings of the processes are made. */
export interface StackParts {
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** Port of the first gateway. */
  readonly port: number;
  /** Returns a free port. */
  readonly nextPort: () => number;
  readonly databases: Readonly<Record<string, DatabaseUrls>>;
  readonly redisUrl: string | null;
  /**
   * Addresses of Kafka's brokers. If the list is empty, the stack uses the bus on PostgreSQL, in
   * the database `bus`.
   */
  readonly brokers: readonly string[];
  readonly secrets: Secrets;
  readonly receiver: IdentityFiles;
  /** Folder of the processes' certificates. */
  readonly identityFolder: string;
  readonly mailDir: string;
  /** File of custody's checkpoints outside of its database. */
  readonly anchorFile: string;
  readonly artifactsDir: string;
  /** Folder of the documentation site, which may be built later. */
  readonly siteFolder: string;
  /** Folder of the console's web application. */
  readonly consoleFolder: string;
  /** File of the auditor's state. */
  readonly auditorFile: string;
  /**
   * The launcher's own environment. Each process receives it, with the settings of `wiring` and of
   * the process in place of variables of the same names.
   */
  readonly environment: NodeJS.ProcessEnv;
}

/** All services, in the order in which lists name them. All services start at the same time. */
export const serviceNames = [
  'orders',
  'custody',
  'webhooks',
  'gateway',
  'operators',
  'courier',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Name of each service's database. The gateway reads the database of the operators service. */
export const databaseOf: Readonly<Record<ServiceName, string>> = {
  orders: 'orders',
  custody: 'custody',
  webhooks: 'webhooks',
  gateway: 'access',
  operators: 'access',
  courier: 'courier',
};

/** Names of the services' databases. */
export const serviceDatabases = [...new Set(serviceNames.map((name) => databaseOf[name]))];

export const at = (port: number): string => `http://127.0.0.1:${port}`;
/** Returns the URL of an internal port, which requires mutual TLS. */
export const within = (port: number): string => `https://127.0.0.1:${port}`;

export interface Ports {
  readonly name: ServiceName;
  readonly replica: number;
  readonly admin: number;
  readonly connect: number;
  /**
   * Port of the gRPC server; for a gateway, port of the HTTP server for partners; for the operators
   * service, port of the HTTPS server for the command line.
   */
  readonly main: number;
}

/** Path prefix of the contract's operations. */
export const basePath = '/api/partner/v1';

/**
 * Default settings, which the environment may override. A variable that is set but empty counts as
 * set.
 */
export const ownDefaults = (parts: StackParts) => {
  const { port, secrets, receiver, mailDir, anchorFile, artifactsDir, auditorFile, siteFolder } =
    parts;
  return {
    ENVIRONMENT: 'sandbox',
    BIND_HOST: '127.0.0.1',
    PUBLIC_BASE_URL: `${at(port)}${basePath}`,
    GATEWAY_SITE_DIR: siteFolder,
    ORDERS_CURSOR_KEY: secrets.ordersCursorKey,
    ARTIFACTS_DIR: artifactsDir,
    ARTIFACTS_KEYS: secrets.artifactsKeys,
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
    // sign-ins by the console come from this machine
    OPERATORS_TRUSTED_PROXIES: '127.0.0.0/8',
    MAIL_FROM: 'partner-api@localhost',
  };
};

/** Settings that the launcher sets and the environment cannot override. */
export const wiring = (parts: StackParts, ports: readonly Ports[]) => {
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
    COURIER_ADDRESS: grpc('courier'),
    ORDERS_URL: connect('orders'),
    CUSTODY_URL: connect('custody'),
    WEBHOOKS_URL: connect('webhooks'),
    ACCESS_URL: connect('operators'),
    REDIS_URL: parts.redisUrl ?? '',
    KAFKA_BROKERS: parts.brokers.join(','),
    BUS_DATABASE_URL: bus?.serviceUrl ?? '',
    BUS_MIGRATION_DATABASE_URL: bus?.ownerUrl ?? '',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
  };
};
