import { readConfig } from '@pto/config';
import { AccessService } from '@pto/proto/access/v1/access';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { OwnKeyService } from '@pto/proto/access/v1/own_keys';
import { PortalService, PortalSessionService } from '@pto/proto/access/v1/portal';
import { CourierService } from '@pto/proto/courier/v1/courier';
import { CustodyService, LogService } from '@pto/proto/custody/v1/custody';
import { LocationService } from '@pto/proto/orders/v1/locations';
import { OrderService } from '@pto/proto/orders/v1/orders';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { type Handlers, implement, startConnectServer, startGrpcServer } from '@pto/rpc';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { stores, type TestDatabase, testDatabase, tlsEnvironment, tlsOf } from '@pto/testing';
import { startOperatorsService, tokenOf } from '../../operators/test/operators-service.ts';
import { gatewayTimings, settings, type Timings } from '../src/config.ts';
import { startGateway } from '../src/service.ts';

const host = '127.0.0.1';

/** What the services behind the gateway do in a test; what is not named answers with nothing. */
export interface Behind {
  readonly orders?: Partial<Handlers<typeof OrderService>>;
  readonly locations?: Partial<Handlers<typeof LocationService>>;
  readonly custody?: Partial<Handlers<typeof CustodyService>>;
  readonly log?: Partial<Handlers<typeof LogService>>;
  readonly webhooks?: Partial<Handlers<typeof WebhookService>>;
  readonly courier?: Partial<Handlers<typeof CourierService>>;
  /** Absent: the real operators service. */
  readonly portal?: Handlers<typeof PortalService>;
  /** Beside `portal`. */
  readonly orderLinks?: Handlers<typeof OrderLinkService>;
  readonly ownKeys?: Handlers<typeof OwnKeyService>;
}

/** The services' wire, with handlers written by the test. */
const startBehind = async (behind: Behind) => {
  const rest = <T>(handlers: Partial<T> | undefined): T =>
    new Proxy(handlers ?? {}, {
      get: (given, name) => Reflect.get(given, name) ?? (async () => ({})),
    }) as T;
  const implementations = {
    orders: [
      implement(OrderService, rest(behind.orders)),
      implement(LocationService, rest(behind.locations)),
    ],
    custody: [
      implement(CustodyService, rest(behind.custody)),
      implement(LogService, rest(behind.log)),
    ],
    webhooks: [implement(WebhookService, rest(behind.webhooks))],
    courier: [implement(CourierService, rest(behind.courier))],
  };
  const start = (name: keyof typeof implementations) =>
    startGrpcServer({
      host,
      port: 0,
      tls: tlsOf(name),
      telemetry: createTelemetry({ service: name, write: () => {} }),
      implementations: implementations[name],
    });
  const [orders, custody, webhooks, courier] = await Promise.all([
    start('orders'),
    start('custody'),
    start('webhooks'),
    start('courier'),
  ]);
  const portal =
    behind.portal &&
    (await startConnectServer({
      host,
      port: 0,
      tls: tlsOf('operators'),
      telemetry: createTelemetry({ service: 'operators', write: () => {} }),
      implementations: [
        implement(PortalService, behind.portal),
        implement(OrderLinkService, rest(behind.orderLinks)),
        implement(OwnKeyService, rest(behind.ownKeys)),
      ],
    }));
  const address = ({ port }: { port: number }) => `ipv4:${host}:${port}`;
  return {
    environment: {
      ORDERS_ADDRESS: address(orders),
      CUSTODY_ADDRESS: address(custody),
      WEBHOOKS_ADDRESS: address(webhooks),
      COURIER_ADDRESS: address(courier),
    },
    accessUrl: portal && `https://${host}:${portal.port}`,
    stop: () =>
      Promise.all([orders, custody, webhooks, courier, portal].map((server) => server?.stop())),
  };
};

export interface Setup {
  readonly behind?: Behind;
  readonly replicas?: number;
  /** Undefined: the tests' own Redis, or none where there is none; empty: none. */
  readonly redisUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Time limits other than those of production. */
  readonly timings?: Partial<Timings>;
}

/** The real gateway, in one replica or several on one database. */
export const startGatewayService = async (setup: Setup = {}) => {
  const database = await testDatabase('access');
  const behind = await startBehind(setup.behind ?? {});
  const logged: string[] = [];
  const environment: Record<string, string> & { REDIS_URL: string; ENVIRONMENT: string } = {
    ENVIRONMENT: 'sandbox',
    DATABASE_URL: database.serviceUrl,
    REDIS_URL: setup.redisUrl ?? stores().redis ?? '',
    GATEWAY_REJECTION_HOLD: '1ms',
    GATEWAY_REPLICAS: `${setup.replicas ?? 1}`,
    ...behind.environment,
    ...tlsEnvironment('gateway'),
    BIND_HOST: host,
    HTTP_PORT: '0',
    ...setup.environment,
  };
  const telemetries: Telemetry[] = [];
  const start = () => {
    const telemetry = createTelemetry({ service: 'gateway', write: (line) => logged.push(line) });
    telemetries.push(telemetry);
    return startGateway(readConfig(settings, environment).settings, telemetry, {
      ...gatewayTimings,
      ...setup.timings,
    });
  };
  const operators = await startOperatorsService({
    database,
    environment: {
      REDIS_URL: environment.REDIS_URL,
      ENVIRONMENT: environment.ENVIRONMENT,
      OPERATORS_PORTAL_URL: 'https://portal.example',
    },
  });
  environment.ACCESS_URL = behind.accessUrl ?? `https://${host}:${operators.running.connectPort}`;
  const gateways = await Promise.all(Array.from({ length: setup.replicas ?? 1 }, start));
  const operator = operators.client(AccessService, 'access', await tokenOf(database, ['admin']));
  return {
    database,
    gateways,
    operator,
    operators,
    /** Everything that the gateways have logged. */
    logged,
    /** The metrics of the first gateway, as Prometheus reads them. */
    metrics: () => telemetries[0]!.metrics.metrics(),
    port: gateways[0]!.httpPort,
    baseUrls: gateways.map(({ httpPort }) => `http://${host}:${httpPort}/api/partner/v1`),
    stop: async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await operators.stop();
      await behind.stop();
      await database.drop();
    },
  };
};

export type GatewayUnderTest = Awaited<ReturnType<typeof startGatewayService>>;
export type { TestDatabase };

export const allScopes = ['orders:read', 'orders:write', 'webhooks:manage', 'keys:rotate'];

/** Creates an organization with one key. */
export const partnerOf = async (
  { operator }: GatewayUnderTest,
  more: { scopes?: string[]; disabled?: boolean; reads?: number; writes?: number } = {},
) => {
  const { organization } = await operator.createOrganization({
    name: 'Demo Clinic',
    disabled: more.disabled ?? false,
    admins: [],
  });
  const organizationId = organization!.id;
  const issued = await operator.issueKey({
    organizationId,
    scopes: more.scopes ?? allScopes,
    readsPerMinute: more.reads ?? 0,
    writesPerMinute: more.writes ?? 0,
  });
  return { organizationId, keyId: issued.key!.id, key: issued.secret };
};

/** Opens a link of a key to the portal. @returns the session's secret. */
export const portalSessionOf = async ({ baseUrls, operators }: GatewayUnderTest, key: string) => {
  const { body } = await call('POST', `${baseUrls[0]}/portal-links`, { key, body: {} });
  const sessions = operators.client(PortalSessionService, 'access');
  return (await sessions.openSession({ code: new URL(body.url).hash.slice(1) })).secret;
};

/** Creates a link for one order as an operator. @returns its secret. */
export const orderLinkOf = async (
  { operators, database }: GatewayUnderTest,
  organizationId: string,
  orderId: string,
  side = 'dropoff',
) => {
  const token = await tokenOf(database, ['dispatcher']);
  const links = operators.client(OrderLinkService, 'access', token);
  const { url } = await links.createOrderLink({ organizationId, orderId, side });
  return new URL(url).hash.slice(1);
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

const requestMaxMs = 15_000;

/** One request. A body that is no string goes as JSON. */
export const call = async (
  method: string,
  url: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const { key, body } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestMaxMs),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : null,
  };
};
