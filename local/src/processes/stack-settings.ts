import { at, within } from './loopback.ts';
import type { ServiceName } from './services.ts';
import type { StackParts } from './stack-parts.ts';

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
