import { identityFiles } from '@pto/authority';
import type { ProcessName } from '@pto/proto/callers';
import { identity } from '../secrets/identities.ts';
import { withheld } from './key-holders.ts';
import { at, within } from './loopback.ts';
import { databaseOf, type ServiceName, serviceNames } from './services.ts';
import type { StackParts } from './stack-parts.ts';
import { ownDefaults, type Ports, wiring } from './stack-settings.ts';

/** One process of a service, its settings and its URLs. */
export interface PlannedProcess {
  readonly name: ProcessName;
  readonly replica: number;
  readonly env: NodeJS.ProcessEnv;
  /**
   * URL of the process's Connect server, which internal processes call. For the gateways of the
   * public API and for the auditor, which no internal process calls, the URL of the admin server.
   */
  readonly internalUrl: string;
  readonly metricsUrl: string;
  readonly healthUrl: string;
  /** URL of the public API; undefined for processes other than gateways. */
  readonly publicUrl: string | undefined;
}

/** Plans all processes with their settings. Services reach each other by loopback ports. */
export const planProcesses = (parts: StackParts): PlannedProcess[] => {
  const ports = serviceNames.flatMap((name) =>
    Array.from({ length: parts.replicas[name] }, (_, replica): Ports => {
      const first = name === 'gateway' && replica === 0;
      const main = first ? parts.port : parts.nextPort();
      return { name, replica, main, connect: parts.nextPort(), admin: parts.nextPort() };
    }),
  );
  const shared = { ...ownDefaults(parts), ...parts.environment, ...wiring(parts, ports) };
  const services = ports.map(({ name, replica, main, connect, admin }) => ({
    name,
    replica,
    env: {
      ...shared,
      ...withheld(name),
      ...identity(name, parts.identityFolder),
      ...ownSettings(parts, name),
      SERVICE_REPLICA: `${replica}`,
      [mainPort[name] ?? 'GRPC_PORT']: `${main}`,
      CONNECT_PORT: `${connect}`,
      ADMIN_PORT: `${admin}`,
    },
    internalUrl: name === 'gateway' ? at(admin) : within(connect),
    metricsUrl: `${at(admin)}/metrics`,
    healthUrl: `${at(admin)}/readyz`,
    publicUrl: name === 'gateway' ? at(main) : undefined,
  }));
  return [...services, planAuditor(parts, shared)];
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
const ownSettings = (parts: StackParts, name: ServiceName): NodeJS.ProcessEnv => {
  const database = parts.databases[databaseOf[name]];
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

/**
 * Plans custody's auditor. The auditor uses a database role that can only read, and no process
 * calls the auditor.
 */
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
