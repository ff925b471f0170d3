import type { IdentityFiles } from '@pto/authority';
import { mainCell } from '@pto/config';
import type { provision } from '@pto/database/provision';
import type { CellSecrets, Secrets } from '../secrets/secrets.ts';

/** URLs of one database, one for each of its roles. */
export type DatabaseUrls = Awaited<ReturnType<typeof provision>>;

/** Everything from which the settings of the processes are made. */
export interface StackParts {
  /** The cells, the main one first. */
  readonly cells: readonly string[];
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
  /** Returns the file of a cell's checkpoints outside of custody's database. */
  readonly anchorFile: (cell: string) => string;
  readonly artifactsDir: string;
  /** Folder of the documentation site, which may be built later. */
  readonly siteFolder: string;
  /** Folder of the console's web application. */
  readonly consoleFolder: string;
  /** Returns the file of the state of a cell's auditor. */
  readonly auditorFile: (cell: string) => string;
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

/** Names of the services' databases in an installation with one cell. */
export const serviceDatabases = [...new Set(serviceNames.map((name) => databaseOf[name]))];

/** The services of which each cell has its own; all cells share the others. */
const cellServices: readonly ServiceName[] = ['orders', 'custody', 'webhooks', 'courier'];

/** Returns the cells that run a service of their own, where there are these cells. */
export const cellsOf = (name: ServiceName, cells: readonly string[]): readonly string[] =>
  cellServices.includes(name) ? cells : [mainCell];

/** Returns the name of a cell's part, such as a database or file: its own in the main cell. */
export const inCell = (name: string, cell: string, separator = '_'): string =>
  cell === mainCell ? name : `${name}${separator}${cell}`;

/** Returns the names of the services' databases of all cells. */
export const databasesOf = (cells: readonly string[]): string[] => [
  ...new Set(
    serviceNames.flatMap((name) =>
      cellsOf(name, cells).map((cell) => inCell(databaseOf[name], cell)),
    ),
  ),
];

export const at = (port: number): string => `http://127.0.0.1:${port}`;
/** Returns the URL of an internal port, which requires mutual TLS. */
export const within = (port: number): string => `https://127.0.0.1:${port}`;

export interface Ports {
  readonly name: ServiceName;
  readonly cell: string;
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
export const ownDefaults = (parts: StackParts, cell: string) => {
  const { port, secrets, receiver, mailDir, anchorFile, artifactsDir, auditorFile, siteFolder } =
    parts;
  const ofCell: CellSecrets = secrets.cells[cell] ?? secrets;
  return {
    ENVIRONMENT: 'sandbox',
    BIND_HOST: '127.0.0.1',
    PUBLIC_BASE_URL: `${at(port)}${basePath}`,
    GATEWAY_SITE_DIR: siteFolder,
    ORDERS_CURSOR_KEY: secrets.ordersCursorKey,
    ARTIFACTS_DIR: artifactsDir,
    ARTIFACTS_KEYS: secrets.artifactsKeys,
    CUSTODY_LOG_ORIGIN: inCell('localhost/custody', cell, '/'),
    CUSTODY_SIGNING_KEYS: ofCell.custodySigningKey,
    CUSTODY_ANCHOR_FILE: anchorFile(cell),
    CUSTODY_AUDITOR_STATE_FILE: auditorFile(cell),
    CUSTODY_AUDITOR_STATE_KEY: ofCell.auditorStateKey,
    OPERATOR_MAIL: 'operator@localhost',
    WEBHOOKS_SECRET_KEYS: secrets.webhooksSecretKeys,
    ORDERS_CUSTODY_KEYS: ofCell.ordersCustodyKeys,
    CUSTODY_WEBHOOKS_KEYS: ofCell.custodyWebhooksKeys,
    COURIER_DEVICE_KEY: ofCell.courierDeviceKey,
    WEBHOOKS_EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    WEBHOOKS_CA_FILE: receiver.caFile,
    MAIL_DIR: mailDir,
    // sign-ins by the console come from this machine
    OPERATORS_TRUSTED_PROXIES: '127.0.0.0/8',
    MAIL_FROM: 'partner-api@localhost',
  };
};

/** Settings that the launcher sets for the processes of a cell. The environment cannot override them. */
export const wiring = (parts: StackParts, ports: readonly Ports[], cell: string) => {
  const addresses = wires(parts, ports);
  const bus = parts.brokers.length > 0 ? undefined : parts.databases[inCell('bus', cell)];
  return {
    GATEWAY_REPLICAS: `${parts.replicas.gateway}`,
    ORDERS_ADDRESS: addresses.inEachCell(addresses.grpc('orders')),
    CUSTODY_ADDRESS: addresses.inEachCell(addresses.grpc('custody')),
    WEBHOOKS_ADDRESS: addresses.inEachCell(addresses.grpc('webhooks')),
    COURIER_ADDRESS: addresses.inEachCell(addresses.grpc('courier')),
    ORDERS_URL: addresses.connect('orders')(cell),
    CUSTODY_URL: addresses.connect('custody')(cell),
    WEBHOOKS_URL: addresses.connect('webhooks')(cell),
    ACCESS_URL: addresses.connect('operators')(mainCell),
    REDIS_URL: parts.redisUrl ?? '',
    KAFKA_BROKERS: parts.brokers.join(','),
    KAFKA_TOPIC_PREFIX: cell === mainCell ? '' : `${cell}.`,
    BUS_DATABASE_URL: bus?.serviceUrl ?? '',
    BUS_MIGRATION_DATABASE_URL: bus?.ownerUrl ?? '',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
  };
};

/** The URLs of the services of each cell, which the operators service calls. */
export const urlsOfCells = (parts: StackParts, ports: readonly Ports[]) => {
  const { inEachCell, connect } = wires(parts, ports);
  return {
    ORDERS_URL: inEachCell(connect('orders')),
    CUSTODY_URL: inEachCell(connect('custody')),
    WEBHOOKS_URL: inEachCell(connect('webhooks')),
  };
};

const wires = ({ cells }: StackParts, ports: readonly Ports[]) => {
  const of = (name: ServiceName, cell: string) =>
    ports.filter((process) => process.name === name && process.cell === cell);
  return {
    grpc: (name: ServiceName) => (cell: string) =>
      `ipv4:${of(name, cell)
        .map(({ main }) => `127.0.0.1:${main}`)
        .join(',')}`,
    connect: (name: ServiceName) => (cell: string) =>
      of(name, cell)
        .map((process) => within(process.connect))
        .join(','),
    inEachCell: (value: (cell: string) => string) =>
      cells.length === 1
        ? value(mainCell)
        : cells.map((cell) => `${cell}=${value(cell)}`).join(';'),
  };
};
