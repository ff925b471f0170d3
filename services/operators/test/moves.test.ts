import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { implement } from '@pto/rpc';
import {
  type OperatorsUnderTest,
  query,
  startBehind,
  startOperatorsService,
  tokenOf,
} from './operators-service.ts';

let open: { id: string; orderId: string }[] = [];
let asked: object | undefined;
let under: OperatorsUnderTest;
let behind: Awaited<ReturnType<typeof startBehind>>;
let clients: { access: ReturnType<typeof accessOf>; moves: ReturnType<typeof movesOf> };
const accessOf = (token: string) => under.client(AccessService, 'access', token);
const movesOf = (token: string) => under.client(MoveService, 'access', token);
beforeAll(async () => {
  behind = await startBehind((name) =>
    name === 'orders'
      ? [
          implement(ViolationService, {
            listViolations: async ({
              organizationId,
              state,
            }: {
              organizationId: string;
              state: number;
            }) => {
              asked = { organizationId, state };
              return { violations: open };
            },
          } as never),
        ]
      : [],
  );
  const inEach = Object.fromEntries(
    Object.entries(behind.environment).map(([name, url]) => [name, `main=${url};north=${url}`]),
  );
  under = await startOperatorsService({ environment: inEach });
  const token = await tokenOf(under.database);
  clients = { access: accessOf(token), moves: movesOf(token) };
}, 60_000);
afterAll(async () => {
  await under?.stop();
  await behind?.stop();
});

const newOrganization = async () =>
  (await clients.access.createOrganization({ name: 'Clinic' })).organization!.id;

test('a move begins once, is listed, and gateways look its cell up', async () => {
  const organizationId = await newOrganization();
  const { move } = await clients.moves.moveOrganization({ organizationId, cell: 'north' });
  expect(move).toMatchObject({ source: 'main', target: 'north', phase: 'COPYING', copiedRows: 0 });
  expect(asked).toEqual({ organizationId, state: 1 });
  await expect(
    clients.moves.moveOrganization({ organizationId, cell: 'north' }),
  ).rejects.toMatchObject({ kind: 'ILLEGAL_TRANSITION' });
  const { moves } = await clients.moves.listMoves({ organizationId });
  expect(moves.map(({ id }) => id)).toEqual([move!.id]);
  const isMoving = 'select is_moving from organizations where id = $1';
  expect(await query(under.database.ownerUrl, isMoving, [organizationId])).toEqual([
    { is_moving: true },
  ]);
  await clients.moves.cancelMove({ organizationId });
});

test('what cannot begin is rejected and leaves nothing', async () => {
  const organizationId = await newOrganization();
  const begin = (cell: string) => clients.moves.moveOrganization({ organizationId, cell });
  await expect(begin('main')).rejects.toMatchObject({ kind: 'VALIDATION' });
  await expect(begin('south')).rejects.toMatchObject({ kind: 'VALIDATION' });
  const isOpen = (message: string) => ({
    kind: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining(message),
  });
  open = [{ id: 'V', orderId: 'O' }];
  await expect(begin('north')).rejects.toMatchObject(isOpen('operator ledger acknowledge O '));
  open = [{ id: 'V', orderId: '' }];
  await expect(begin('north')).rejects.toMatchObject(
    isOpen('operator ledger acknowledge V --violation'),
  );
  open = [];
  await expect(clients.moves.cancelMove({ organizationId })).rejects.toMatchObject({
    kind: 'NOT_FOUND',
  });
  expect((await clients.moves.listMoves({ organizationId })).moves).toEqual([]);
});
