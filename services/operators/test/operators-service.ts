import type { DescService } from '@bufbuild/protobuf';
import { readConfig } from '@pto/config';
import { migrate } from '@pto/database';
import type { Caller, OperatorRole, ProcessName } from '@pto/proto/callers';
import {
  type CallContext,
  connectClient,
  type Implementation,
  operatorClient,
  startConnectServer,
} from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import {
  makeAuthority,
  type TestDatabase,
  testDatabase,
  tlsEnvironment,
  tlsOf,
} from '@pto/testing';
import { Client } from 'pg';
import { migrations } from '../migrations/index.ts';
import { remoteMounts } from '../src/calls/forward.ts';
import { settings } from '../src/config.ts';
import { issueToken } from '../src/identity/tokens.ts';
import { startOperators } from '../src/service.ts';

const host = '127.0.0.1';
const allRoles: readonly OperatorRole[] = ['support', 'dispatcher', 'admin', 'auditor'];

/** Runs statements as one of the database's roles. */
export const query = async <Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
};

/** A personal token made with the owner's rights. */
export const tokenOf = async (
  database: TestDatabase,
  roles: readonly string[] = allRoles,
  name = 'Ada Operator',
  carrierId = '',
): Promise<string> => {
  const sql = {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      query(database.ownerUrl, text, values) as Promise<Row[]>,
  };
  const request = { name, roles, carrierId, expiresInSeconds: 3600, by: 'a test' };
  return (await issueToken(sql, request)).secret;
};

/** Every service behind the operators service; each RPC answers with an empty message. */
export const emptyServices = (
  handle: (rpc: string, caller: Caller) => Promise<object> = async () => ({}),
): Implementation[] =>
  [...new Set(remoteMounts.flatMap(({ services }) => services))].map((service) => ({
    service,
    handlers: Object.fromEntries(
      service.methods.map(({ localName, name }) => [
        localName,
        (_: never, { caller }: CallContext) => handle(name, caller),
      ]),
    ),
  }));

/** The internal ports of the three services, each with its identity, answered by the test. */
export const startBehind = async (
  implementations:
    | readonly Implementation[]
    | ((name: 'orders' | 'custody' | 'webhooks') => readonly Implementation[]),
) => {
  const servers = await Promise.all(
    (['orders', 'custody', 'webhooks'] as const).map(async (name) => {
      const server = await startConnectServer({
        host,
        port: 0,
        tls: tlsOf(name),
        telemetry: createTelemetry({ service: 'behind', write: () => {} }),
        implementations:
          typeof implementations === 'function' ? implementations(name) : implementations,
      });
      return { server, variable: [`${name.toUpperCase()}_URL`, `https://${host}:${server.port}`] };
    }),
  );
  return {
    environment: Object.fromEntries(servers.map(({ variable }) => variable)),
    stop: () => Promise.all(servers.map(({ server }) => server.stop())),
  };
};

export type Behind = Awaited<ReturnType<typeof startBehind>>;

/** The real operators service over HTTPS, on a database of its own unless one is given. */
export const startOperatorsService = async (
  setup: {
    database?: TestDatabase;
    /** The services; nothing listens there unless given. */
    behind?: Behind;
    environment?: Readonly<Record<string, string>>;
  } = {},
) => {
  const database = setup.database ?? (await testDatabase('access'));
  await migrate(database.ownerUrl, migrations);
  const authority = makeAuthority();
  const nowhere = `https://${host}:1`;
  const logged: string[] = [];
  const environment = {
    ENVIRONMENT: 'sandbox',
    DATABASE_URL: database.operatorsUrl,
    OPERATORS_TLS_CERT_FILE: authority.certFile,
    OPERATORS_TLS_KEY_FILE: authority.keyFile,
    OPERATORS_PORT: '0',
    CONNECT_PORT: '0',
    BIND_HOST: host,
    ORDERS_URL: nowhere,
    CUSTODY_URL: nowhere,
    WEBHOOKS_URL: nowhere,
    ...setup.behind?.environment,
    ...tlsEnvironment('operators'),
    ...setup.environment,
  };
  const telemetry = createTelemetry({ service: 'operators', write: (line) => logged.push(line) });
  const running = await startOperators(readConfig(settings, environment).settings, telemetry);
  const url = `https://${host}:${running.operatorsPort}`;
  return {
    database,
    environment,
    running,
    url,
    caFile: authority.caFile,
    logged,
    telemetry,
    /** A client with a bearer credential, or with none. */
    client: <S extends DescService>(
      service: S,
      prefix: string,
      credential?: string,
      cell?: string,
    ) =>
      operatorClient(service, {
        ...(cell !== undefined && { cell }),
        url: `${url}/${prefix}`,
        caFile: authority.caFile,
        credential: async () => credential,
      }),
    /** A client of the internal port, as another process. */
    internal: <S extends DescService>(service: S, process: ProcessName) =>
      connectClient(service, {
        urls: [`https://${host}:${running.connectPort}`],
        server: 'operators',
        tls: tlsOf(process),
      }),
    stop: async () => {
      await running.stop();
      authority.forget();
      if (!setup.database) await database.drop();
    },
  };
};

export type OperatorsUnderTest = Awaited<ReturnType<typeof startOperatorsService>>;
