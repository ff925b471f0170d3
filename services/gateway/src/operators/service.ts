import type { IncomingMessage } from 'node:http';
import type { DescMethod } from '@bufbuild/protobuf';
import { migrate, openDatabase } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { AccessService } from '@pto/proto/access/v1/access';
import { callers } from '@pto/proto/callers';
import { AuditService, OperatorService, SignInService } from '@pto/proto/operators/v1/operators';
import { type ConnectCall, connectListener, startConnectServer } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { migrations } from '../../migrations/index.ts';
import { accessService } from '../access/access-service.ts';
import { apiKeys } from '../access/keys.ts';
import { organizations } from '../access/organizations.ts';
import { clientAddress } from '../authentication/client-address.ts';
import { shareChanges } from '../authentication/share-changes.ts';
import { openRedis } from '../limits/redis.ts';
import { managed } from '../schema/entities.ts';
import { auditLog } from './audit/audit-log.ts';
import { authentication } from './authenticate.ts';
import type { OperatorGatewaySettings } from './config.ts';
import { failedAttempts } from './failed-attempts.ts';
import { handleCall } from './handle-call.ts';
import { startHttpsServer } from './https-server.ts';
import { idTokenVerifier } from './oidc/verify-id-token.ts';
import { people } from './people.ts';
import { auditService } from './rpc/audit-service.ts';
import { localOf } from './rpc/local-service.ts';
import { operatorService } from './rpc/operator-service.ts';
import { openTargets, remoteMounts } from './targets.ts';
import { operatorTokens } from './tokens.ts';

/** Starts the operator gateway from its settings. Operators call no other process (decision 59). */
export const startOperatorGateway = async (
  settings: OperatorGatewaySettings,
  telemetry: Telemetry,
): Promise<Service & { operatorsPort: number; connectPort: number }> => {
  const verifyIdToken = idTokenVerifier(settings);
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({
    ...settings,
    url: settings.databaseUrl,
    entities: managed,
    telemetry,
  });
  const redis = settings.redisUrl ? openRedis(settings.redisUrl, telemetry) : null;
  const changes = shareChanges(redis, () => {}, telemetry);
  const tokens = operatorTokens(db);
  const persons = people(db);
  const access = accessService({
    organizations: organizations(db, changes.changed),
    keys: apiKeys(db, settings.environment, changes.changed),
  });
  const locals = [localOf(access), operatorService({ tokens, people: persons }), auditService(db)];
  const authenticate = authentication({
    tokens,
    people: persons,
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
  const handle = handleCall({
    authenticate,
    addressOf: ({ http }) => addressOf(http),
    localServices: new Map(locals.map((one) => [one.service.typeName, one])),
    forward: openTargets(settings),
    audit: auditLog(db),
    telemetry,
  });
  const signIn = {
    issuer: settings.oidcIssuer,
    clientId: settings.oidcClientId,
    scopes: [...settings.oidcScopes],
    maxAgeSeconds: Math.floor(settings.oidcMaxAgeMs / 1000),
  };
  const listener = connectListener({
    mounts: [
      { prefix: 'access', services: [AccessService] },
      { prefix: 'operators', services: [SignInService, OperatorService, AuditService] },
      ...remoteMounts,
    ],
    // handleCall verifies the credential again: it may be revoked while the body is read
    admit: (http) => authenticate(http.headers.authorization, addressOf(http)),
    forAnyone: [SignInService],
    handle: async (call: ConnectCall) => (isForAnyone(call.method) ? signIn : handle(call)),
    telemetry,
  });
  const connect = await startConnectServer({
    host: settings.host,
    port: settings.connectPort,
    implementations: [access],
    tls: settings,
    telemetry,
  });
  const https = await startHttpsServer(listener, {
    host: settings.host,
    port: settings.operatorsPort,
    certFile: settings.operatorsCertFile,
    keyFile: settings.operatorsKeyFile,
    connectionsMax: settings.connectionsMax,
    reloadMs: settings.tlsReloadMs,
    telemetry,
  });
  return {
    operatorsPort: https.port,
    connectPort: connect.port,
    // a replica that cannot record actions is not ready: its operators call another replica
    checks: { database: () => db.ping(), clock: db.checkClock },
    stop: async () => {
      await Promise.all([https.stop(), connect.stop()]);
      changes.stop();
      redis?.disconnect();
      await db.close();
    },
  };
};

/** Returns whether an RPC needs no credential: only RPCs that describe how to sign in. */
const isForAnyone = ({ parent, name }: DescMethod): boolean =>
  parent === SignInService && callers[parent.typeName]?.[name]?.anyone === true;
