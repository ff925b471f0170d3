import type { IncomingMessage } from 'node:http';
import type { DescService } from '@bufbuild/protobuf';
import { clientAddress, requestLogDays } from '@pto/access';
import { migrate, openDatabase, rotateDailyPartitions } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { OwnKeyService } from '@pto/proto/access/v1/own_keys';
import { PortalService, PortalSessionService } from '@pto/proto/access/v1/portal';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService, DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService, SignInService } from '@pto/proto/operators/v1/operators';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { connectClient, connectListener, implement, startConnectServer } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { migrations } from '../migrations/index.ts';
import { apiKeys } from './access/keys.ts';
import { notifyGateways, openRedis } from './access/notify-gateways.ts';
import { organizations } from './access/organizations.ts';
import { ownKeys } from './access/own-keys.ts';
import { requestLog } from './access/requests.ts';
import { auditLog } from './audit/audit-log.ts';
import { cellsOf, openTargets, remoteMounts } from './calls/forward.ts';
import { handleCall } from './calls/handle-call.ts';
import { startHttpsServer } from './calls/https-server.ts';
import { operatorServices } from './calls/operator-services.ts';
import { carrierService } from './carriers/carrier-service.ts';
import type { OperatorsSettings } from './config.ts';
import { driverService } from './drivers/driver-service.ts';
import { positionService } from './drivers/position-service.ts';
import { authentication } from './identity/authenticate.ts';
import { driverSessions } from './identity/driver-sessions.ts';
import { failedAttempts } from './identity/failed-attempts.ts';
import { idTokenVerifier } from './identity/id-tokens.ts';
import { people } from './identity/people.ts';
import { operatorSessions } from './identity/sessions.ts';
import { operatorTokens } from './identity/tokens.ts';
import { moveService } from './moves/move-service.ts';
import { portalLinks } from './portal/links.ts';
import { orderLinks } from './portal/order-links.ts';
import { portalSessions } from './portal/sessions.ts';

/** Starts the service from its settings. Operators call no other process (decision 59). */
export const startOperators = async (
  settings: OperatorsSettings,
  telemetry: Telemetry,
): Promise<Service & { operatorsPort: number; connectPort: number }> => {
  const verifyIdToken = idTokenVerifier(settings);
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const partitions = rotateDailyPartitions(db, { requests: requestLogDays }, telemetry);
  const redis = openRedis(settings.redisUrl);
  const changed = notifyGateways(redis, telemetry);
  const links = portalLinks(db, settings.portalUrl, changed);
  const access = implement(AccessService, {
    ...organizations(db, cellsOf(settings), changed),
    ...apiKeys(db, settings.environment, changed),
    ...requestLog(db),
    createPortalLink: ({ organizationId, rights, keyId }) =>
      links.ofOrganization(organizationId, rights, keyId),
    listPortalSessions: ({ organizationId, afterId }) => links.list(organizationId, afterId),
    endPortalSession: ({ id }) => links.end(id),
  });
  const portal = implement(PortalService, {
    createLink: ({ keyId, rights }) => links.ofKey(keyId, rights),
    endLinks: ({ keyId }) => links.endOfKey(keyId),
  });
  const linksOfOrders = implement(
    OrderLinkService,
    orderLinks(db, settings.environment, settings.portalUrl, changed),
  );
  const keysOfPartners = implement(OwnKeyService, ownKeys(db, settings.environment, changed));
  const identities = {
    db,
    publicBaseUrl: settings.publicBaseUrl,
    cells: cellsOf(settings),
    environment: settings.environment,
    tokens: operatorTokens(db),
    people: people(db),
    sessions: operatorSessions(db),
  };
  const ordersOf = <S extends DescService>(service: S) =>
    new Map(
      [...settings.ordersUrls].map(([cell, urls]) => {
        const to = { urls, server: 'orders', tls: settings } as const;
        return [cell, connectClient(service, to)];
      }),
    );
  const violations = ordersOf(ViolationService);
  const moves = {
    db,
    cells: cellsOf(settings),
    violations: (cell: string) => violations.get(cell)!,
  };
  const drivers = driverSessions(db, settings.environment, cellsOf(settings));
  const authenticate = authentication({
    ...{ ...identities, drivers },
    verifyIdToken,
    attempts: failedAttempts(settings.failedAuthPerMinute),
    telemetry,
  });
  const addressOf = ({ socket, headers }: IncomingMessage) =>
    clientAddress(
      socket.remoteAddress,
      headers['x-forwarded-for']?.toString(),
      settings.trustedProxies,
    );
  const orders = ordersOf(OrderCommandService);
  const handle = handleCall({
    authenticate,
    addressOf: ({ http }) => addressOf(http),
    ownServices: (operator) => [
      access,
      linksOfOrders,
      moveService(operator, moves),
      carrierService(db, operator.carrier),
      driverService(db, settings.portalUrl, [...orders.values()], operator.carrier),
      positionService(operator, { redis, orders, log: telemetry.log }),
      ...operatorServices(operator, identities),
    ],
    forward: openTargets(settings, db),
    audit: auditLog(db),
    telemetry,
  });
  const signIn = {
    issuer: settings.oidcIssuer,
    clientId: settings.oidcClientId,
    scopes: [...settings.oidcScopes],
    maxAgeSeconds: Math.floor(settings.oidcMaxAgeMs / 1000),
  };
  const sessions = portalSessions(db, settings.environment, changed);
  const openServices = [
    implement(SignInService, { getSignIn: async () => signIn }),
    implement(PortalSessionService, {
      openSession: ({ code, nonce }) => sessions.open(code, nonce),
      getSession: ({ secret }) => sessions.find(secret),
      endSession: ({ secret }) => sessions.end(secret),
    }),
    implement(DriverSessionService, {
      openDriverSession: drivers.open,
      getDriverSession: ({ secret }) => drivers.get(secret),
      renewDriverSession: drivers.renew,
      endDriverSession: ({ secret }) => drivers.end(secret),
    }),
  ];
  const listener = connectListener({
    mounts: [
      {
        prefix: 'access',
        services: [AccessService, OrderLinkService, MoveService, PortalSessionService],
      },
      {
        prefix: 'operators',
        services: [
          ...[SignInService, OperatorService, AuditService],
          ...[CarrierService, DriverService, DriverSessionService, PositionService],
        ],
      },
      ...remoteMounts,
    ],
    // handleCall verifies the credential again: it may be revoked while the body is read
    admit: (http) => authenticate(http.headers, addressOf(http)),
    forAnyone: openServices.map(({ service }) => service),
    handle: async (call) => {
      const { method, request, context } = call;
      const open = openServices.find(({ service }) => service === method.parent);
      return open ? open.handlers[method.localName]!(request as never, context) : handle(call);
    },
    telemetry,
  });
  const connect = await startConnectServer({
    host: settings.host,
    port: settings.connectPort,
    implementations: [access, linksOfOrders, portal, keysOfPartners],
    tls: settings,
    telemetry,
  });
  const https = await startHttpsServer(listener, settings, telemetry);
  return {
    operatorsPort: https.port,
    connectPort: connect.port,
    // a replica that cannot record actions is not ready: its operators call another replica
    checks: { database: () => db.ping(), clock: db.checkClock },
    stop: async () => {
      await Promise.all([https.stop(), connect.stop()]);
      redis?.disconnect();
      await partitions.stop();
      await db.close();
    },
  };
};
