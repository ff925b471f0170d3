import { identityFiles } from '@pto/authority';
import { mainCell } from '@pto/config';
import type { ProcessName } from '@pto/proto/callers';
import { identity } from '../secrets/authority.ts';
import { withheld } from './secret-holders.ts';
import type { StackParts } from './stack-settings.ts';
import {
  at,
  basePath,
  cellsOf,
  databaseOf,
  inCell,
  ownDefaults,
  type Ports,
  type ServiceName,
  serviceNames,
  urlsOfCells,
  wiring,
  within,
} from './stack-settings.ts';

/** One process of a service, its settings and its URLs. */
export interface PlannedProcess {
  readonly name: ProcessName | 'console' | 'mover';
  /** The cell of the process; `main` also for those that all cells share. */
  readonly cell: string;
  readonly replica: number;
  readonly env: NodeJS.ProcessEnv;
  /**
   * URL of the process's Connect server, which internal processes call. For the gateways of the
   * public API and for the auditor, which no internal process calls, the URL of the admin server.
   */
  readonly internalUrl: string;
  readonly metricsUrl: string;
  readonly healthUrl: string;
  /** URL of the public API, or of the console; undefined for the other processes. */
  readonly publicUrl: string | undefined;
}

/** Plans all processes with their settings. Services reach each other by loopback ports. */
export const planProcesses = (parts: StackParts): PlannedProcess[] => {
  const isProduction = parts.environment.ENVIRONMENT === 'production';
  // the courier does not start in production (decision 64)
  const names = serviceNames.filter((name) => name !== 'courier' || !isProduction);
  const ports = names.flatMap((name) =>
    cellsOf(name, parts.cells).flatMap((cell) =>
      Array.from({ length: parts.replicas[name] }, (_, replica): Ports => {
        const first = name === 'gateway' && replica === 0;
        const main = first ? parts.port : parts.nextPort();
        return { name, cell, replica, main, connect: parts.nextPort(), admin: parts.nextPort() };
      }),
    ),
  );
  const consolePorts = { http: parts.nextPort(), admin: parts.nextPort() };
  // a host of its own, so that neither page reaches the other's session
  const portalUrl = `http://localhost:${consolePorts.http}`;
  const planned = (
    name: ProcessName,
    cell: string,
    replica: number,
    admin: number,
    own: NodeJS.ProcessEnv,
  ): PlannedProcess => ({
    name,
    cell,
    replica,
    env: {
      OPERATORS_PORTAL_URL: portalUrl,
      ...ownDefaults(parts, cell),
      ...parts.environment,
      ...wiring(parts, ports, cell),
      ...withheld(name, parts.environment),
      ...identity(name, parts.identityFolder),
      ...own,
      SERVICE_REPLICA: `${replica}`,
      ADMIN_PORT: `${admin}`,
    },
    internalUrl: at(admin),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: undefined,
  });
  const services = ports.map(({ name, cell, replica, main, connect, admin }) => ({
    ...planned(name, cell, replica, admin, {
      ...ownSettings(parts, name, cell),
      ...(name === 'operators' && urlsOfCells(parts, ports)),
      [mainPort[name] ?? 'GRPC_PORT']: `${main}`,
      CONNECT_PORT: `${connect}`,
    }),
    ...(name === 'gateway' ? { publicUrl: at(main) } : { internalUrl: within(connect) }),
  }));
  const operators = services.find(({ name }) => name === 'operators');
  const auditors = parts.cells.map((cell) =>
    planned('auditor', cell, 0, parts.nextPort(), {
      CUSTODY_ROLE: 'auditor',
      // a database role that can only read
      DATABASE_URL: parts.databases[inCell('custody', cell)]?.readerUrl,
    }),
  );
  return [
    ...services,
    ...auditors,
    ...(parts.cells.length > 1 ? [plannedMover(parts)] : []),
    plannedConsole(parts, consolePorts, {
      CONSOLE_OPERATORS_URL: within(Number(operators?.env.OPERATORS_PORT)),
      CONSOLE_PORTAL_URL: portalUrl,
      CONSOLE_GATEWAY_URL: `${at(parts.port)}${basePath}`,
    }),
  ];
};

/** The console has no certificate and no secret: it calls as the people who use it do. */
const plannedConsole = (
  parts: StackParts,
  { http, admin }: { readonly http: number; readonly admin: number },
  own: NodeJS.ProcessEnv,
) =>
  ({
    name: 'console',
    cell: mainCell,
    replica: 0,
    env: {
      BIND_HOST: '127.0.0.1',
      CONSOLE_PUBLIC_URL: at(http),
      ...parts.environment,
      ...withheld('console', parts.environment),
      HTTP_PORT: `${http}`,
      ADMIN_PORT: `${admin}`,
      SERVICE_REPLICA: '0',
      ...own,
      CONSOLE_OPERATORS_CA_FILE: identityFiles(parts.identityFolder, '').caFile,
      CONSOLE_DIR: parts.consoleFolder,
    },
    internalUrl: at(admin),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: at(http),
  }) as const;

/** The mover has the rights of the owners of all cells' databases, and no port that anyone calls. */
const plannedMover = (parts: StackParts): PlannedProcess => {
  const admin = parts.nextPort();
  const inEachCell = (database: string) =>
    parts.cells
      .map((cell) => `${cell}=${parts.databases[inCell(database, cell)]?.ownerUrl}`)
      .join(';');
  return {
    name: 'mover',
    cell: mainCell,
    replica: 0,
    env: {
      BIND_HOST: '127.0.0.1',
      ...parts.environment,
      ...withheld('mover', parts.environment),
      OPERATORS_ROLE: 'mover',
      ADMIN_PORT: `${admin}`,
      SERVICE_REPLICA: '0',
      DATABASE_URL: parts.databases.access?.operatorsUrl,
      MOVER_ORDERS_URL: inEachCell('orders'),
      MOVER_CUSTODY_URL: inEachCell('custody'),
      MOVER_WEBHOOKS_URL: inEachCell('webhooks'),
    },
    internalUrl: at(admin),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: undefined,
  };
};

/** Settings of the main ports that are not for gRPC. */
const mainPort: Partial<Record<ServiceName, string>> = {
  gateway: 'HTTP_PORT',
  operators: 'OPERATORS_PORT',
};

/**
 * Returns the settings that differ by service: the roles in its database, and the certificate that
 * the operators service shows to the command line.
 */
const ownSettings = (parts: StackParts, name: ServiceName, cell: string): NodeJS.ProcessEnv => {
  const database = parts.databases[inCell(databaseOf[name], cell)];
  if (name === 'gateway') return { DATABASE_URL: database?.serviceUrl };
  if (name !== 'operators')
    return { DATABASE_URL: database?.serviceUrl, MIGRATION_DATABASE_URL: database?.ownerUrl };
  const { certFile, keyFile } = identityFiles(parts.identityFolder, name);
  return {
    DATABASE_URL: database?.operatorsUrl,
    MIGRATION_DATABASE_URL: database?.ownerUrl,
    OPERATORS_TLS_CERT_FILE: certFile,
    OPERATORS_TLS_KEY_FILE: keyFile,
  };
};
