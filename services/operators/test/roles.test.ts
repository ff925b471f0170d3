import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import {
  callers,
  type GrantedRole,
  grantedRoles,
  type ProcessName,
  processNames,
} from '@pto/proto/callers';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { remoteMounts } from '../src/calls/forward.ts';
import { isPermitted } from '../src/identity/operator.ts';
import {
  type Behind,
  emptyServices,
  type OperatorsUnderTest,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

const mounts = [
  { prefix: 'access', services: [AccessService, OrderLinkService, MoveService] },
  {
    prefix: 'operators',
    services: [OperatorService, CarrierService, DriverService, PositionService, AuditService],
  },
  ...remoteMounts,
];
const rpcs = mounts.flatMap(({ prefix, services }) =>
  services.flatMap((service) => service.methods.map((method) => ({ prefix, service, method }))),
);
/** Calls by one token: 60 denied ones per minute and operator are answered. */
const callsPerToken = 50;

let behind: Behind;
let under: OperatorsUnderTest;
beforeAll(async () => {
  behind = await startBehind(emptyServices());
  under = await startOperatorsService({ behind });
});
afterAll(async () => {
  await under.stop();
  await behind.stop();
});

type Call = (request: object) => Promise<object>;

/** Calls each RPC of each mount with one role. @returns the RPCs that are permitted. */
const permittedTo = async (role: GrantedRole): Promise<string[]> => {
  const permitted: string[] = [];
  const carrierId = role === 'carrier' ? await aCarrier() : '';
  let token = '';
  for (const [n, { prefix, service, method }] of rpcs.entries()) {
    if (n % callsPerToken === 0)
      token = await tokenOf(under.database, [role], `${role} ${n}`, carrierId);
    const client = under.client(service, prefix, token) as unknown as Record<string, Call>;
    const kind = await client[method.localName]!({}).then(
      () => 'ok',
      (failure: Failure) => failure.kind,
    );
    expect(['OPERATOR_NOT_AUTHENTICATED', 'RATE_LIMITED']).not.toContain(kind);
    if (kind !== 'OPERATOR_NOT_PERMITTED')
      permitted.push(`${prefix}/${service.typeName}/${method.name}`);
  }
  return permitted;
};

const aCarrier = async (): Promise<string> => {
  const office = under.client(CarrierService, 'operators', await tokenOf(under.database));
  return (await office.createCarrier({ name: 'A carrier' })).carrier!.id;
};

test.each(grantedRoles)('the role %s may call exactly the RPCs that list it', async (role) => {
  const listed = rpcs.filter(({ service, method }) =>
    callers[service.typeName]![method.name]!.roles.includes(role),
  );
  expect(await permittedTo(role)).toEqual(
    listed.map(({ prefix, service, method }) => `${prefix}/${service.typeName}/${method.name}`),
  );
});

test('an operator without a role may call nothing', () => {
  const operator = {
    id: '',
    name: '',
    roles: [],
    credential: 'token',
    expiresAt: new Date(),
  } as const;
  for (const { service, method } of rpcs)
    expect(isPermitted(operator, service.typeName, method.name)).toBe(false);
});

test('on the internal port webhooks may read an organization, and no process may do more', async () => {
  const attempt = (process: ProcessName, rpc: 'getOrganization' | 'issueKey') =>
    under
      .internal(AccessService, process)
      [rpc]({})
      .catch(({ kind }: Failure) => kind);
  expect(await attempt('webhooks', 'getOrganization')).toBe('NOT_FOUND');
  for (const process of ['gateway', 'orders', 'custody', 'auditor', 'operators'] as const)
    expect(await attempt(process, 'getOrganization')).toBe('CALLER_NOT_ALLOWED');
  for (const process of processNames)
    expect(await attempt(process, 'issueKey')).toBe('CALLER_NOT_ALLOWED');
});

test('names and administrators are verified, stored, and returned to webhooks', async () => {
  const access = under.client(AccessService, 'access', await tokenOf(under.database, ['admin']));
  const administrator = 'ada@müller.example';
  const made = await access.createOrganization({ name: ' Clinic ', admins: [administrator] });
  const { id } = made.organization!;
  const key = { organizationId: id, scopes: ['orders:read'], name: 'a\nb' };
  for (const wrong of [
    access.createOrganization({ name: 'a\nb' }),
    access.createOrganization({ name: 'Clinic', admins: ['ada'] }),
    access.setAdministrators({ id, admins: [administrator, 'ada'] }),
    access.issueKey(key),
  ])
    await expect(wrong).rejects.toMatchObject({ kind: 'VALIDATION' });
  const { organization } = await under.internal(AccessService, 'webhooks').getOrganization({ id });
  expect(organization).toMatchObject({ name: 'Clinic', admins: ['ada@xn--mller-kva.example'] });
});

test('every RPC that a role may call is served', () => {
  const served = new Set(rpcs.map(({ service, method }) => `${service.typeName}/${method.name}`));
  const open = Object.entries(callers).flatMap(([service, rows]) =>
    Object.entries(rows)
      .filter(([, { roles }]) => roles.length > 0)
      .map(([rpc]) => `${service}/${rpc}`),
  );
  expect(open.filter((rpc) => !served.has(rpc))).toEqual([]);
});
