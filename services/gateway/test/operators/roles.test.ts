import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { callers, operatorRoles, type ProcessName, processNames } from '@pto/proto/callers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { remoteMounts } from '../../src/operators/targets.ts';
import { emptyServices } from './behind.ts';
import {
  type Behind,
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperators,
  tokenOf,
} from './operator-gateway.ts';

const page = new URL('../../../../docs/operators/identities.md', import.meta.url);

const mounts = [
  { prefix: 'access', services: [AccessService] },
  { prefix: 'operators', services: [OperatorService, AuditService] },
  ...remoteMounts,
];

let behind: Behind;
let under: OperatorsUnderTest;
beforeAll(async () => {
  behind = await startBehind(emptyServices());
  under = await startOperators({ behind });
});
afterAll(async () => {
  await under.stop();
  await behind.stop();
});

type Call = (request: object) => Promise<object>;

/** What the gateway answers to each RPC of each mount, called by somebody with one role. */
const allowedWith = async (credential: string): Promise<Record<string, boolean>> => {
  const allowed: Record<string, boolean> = {};
  for (const { prefix, services } of mounts)
    for (const service of services) {
      const client = under.client(service, prefix, credential) as unknown as Record<string, Call>;
      for (const method of service.methods) {
        const kind = await client[method.localName]!({}).then(
          () => 'ok',
          (failure: Failure) => failure.kind,
        );
        expect(kind).not.toBe('OPERATOR_NOT_AUTHENTICATED');
        expect(kind).not.toBe('RATE_LIMITED');
        allowed[`${prefix}/${service.typeName}/${method.name}`] = kind !== 'OPERATOR_NOT_PERMITTED';
      }
    }
  return allowed;
};

test('each role may call exactly what the table in the documentation says', async () => {
  const columns = await Promise.all(
    operatorRoles.map(async (role) => allowedWith(await tokenOf(under.database, [role], role))),
  );
  const rows = Object.keys(columns[0]!)
    .filter((rpc) => columns.some((column) => column[rpc]))
    .map(
      (rpc) => `| ${[rpc, ...columns.map((column) => (column[rpc] ? 'yes' : ''))].join(' | ')} |`,
    );
  const documented = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => /^\| (access|orders|custody|webhooks|operators)\//.test(line));
  expect(documented).toEqual(rows);
});

test('a role allows exactly what the table of callers lists for it', async () => {
  for (const role of operatorRoles) {
    const allowed = await allowedWith(await tokenOf(under.database, [role], `${role} again`));
    for (const [path, may] of Object.entries(allowed)) {
      const [, service = '', rpc = ''] = path.split('/');
      expect([path, may]).toEqual([path, callers[service]![rpc]!.roles.includes(role)]);
    }
  }
});

test('a token without a role is refused everything', async () => {
  const token = await tokenOf(under.database, ['support'], 'nobody');
  await query(
    under.database.ownerUrl,
    `update operator_tokens set roles = '{}' where name = 'nobody'`,
  );
  expect(Object.values(await allowedWith(token)).filter((may) => may)).toEqual([]);
});

test('on the internal port webhooks may read an organization, and no process may do more', async () => {
  const attempt = (process: ProcessName, rpc: 'getOrganization' | 'issueKey') =>
    under
      .internal(AccessService, process)
      [rpc]({})
      .catch(({ kind }: Failure) => kind);
  expect(await attempt('webhooks', 'getOrganization')).toBe('NOT_FOUND');
  for (const process of ['gateway', 'orders', 'custody', 'auditor', 'operator-gateway'] as const)
    expect(await attempt(process, 'getOrganization')).toBe('CALLER_NOT_ALLOWED');
  for (const process of processNames)
    expect(await attempt(process, 'issueKey')).toBe('CALLER_NOT_ALLOWED');
});

test('every RPC that a role may call is served', () => {
  const served = new Set(
    mounts.flatMap(({ services }) =>
      services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}/${name}`)),
    ),
  );
  const open = Object.entries(callers).flatMap(([service, rpcs]) =>
    Object.entries(rpcs)
      .filter(([, { roles }]) => roles.length > 0)
      .map(([rpc]) => `${service}/${rpc}`),
  );
  expect(open.filter((rpc) => !served.has(rpc))).toEqual([]);
});
