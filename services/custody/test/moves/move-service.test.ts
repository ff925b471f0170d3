import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Level } from '@pto/proto/moves/v1/moves';
import { migrations } from '../../migrations/index.ts';
import { decodePage } from '../../src/moves/page.ts';
import { anOrderId, anOrganization, connectAttacker, eventsOf } from '../custody-service.ts';
import { type Cell, ordersOf, placed, startCell } from './cells.ts';

let cell: Cell;
beforeAll(async () => {
  cell = await startCell('north', 21);
}, 60_000);
afterAll(() => cell.stop());

const pagesOf = async (organizationId: string, since: string, until: string) => {
  const pages: { bytes: number; numbers: number[] }[] = [];
  for (let page = ''; pages.length === 0 || page !== ''; ) {
    const exported = await cell.moves.export({ organizationId, since, until, page });
    const { entries } = decodePage(exported.rows);
    pages.push({ bytes: exported.rows.length, numbers: entries.map(({ number }) => number) });
    page = exported.nextPage;
  }
  return pages;
};

test('a copy has the entries after its first mark up to its last one', async () => {
  const organizationId = anOrganization();
  expect(await cell.moves.mark({ organizationId })).toMatchObject({
    mark: '0',
    schema: migrations.at(-1)!.name,
    probe: new Uint8Array(),
  });
  expect(await pagesOf(organizationId, '', '0')).toMatchObject([{ numbers: [] }]);
  await cell.produce(ordersOf(organizationId, 2, 3));
  await placed(cell, organizationId, 6);
  expect((await cell.moves.mark({ organizationId })).mark).toBe('6');
  expect(await pagesOf(organizationId, '', '4')).toMatchObject([{ numbers: [1, 2, 3, 4] }]);
  expect(await pagesOf(organizationId, '4', '6')).toMatchObject([{ numbers: [5, 6] }]);
  expect(await pagesOf(organizationId, '6', '6')).toMatchObject([{ numbers: [] }]);
});

test('a page has at most 4 MiB, or one entry', async () => {
  const organizationId = anOrganization();
  const sizes = [400_000, 400_000, 1_200_000, 2_500_000, 1000];
  const orderId = anOrderId();
  const events = sizes.map((size, n) => ({
    ...eventsOf(orderId, organizationId, n + 1)[n]!,
    payloadJson: JSON.stringify({ reference: 'x'.repeat(size) }),
  }));
  await cell.produce(events);
  await placed(cell, organizationId, events.length);
  const pages = await pagesOf(organizationId, '', `${events.length}`);
  expect(pages.map(({ numbers }) => numbers)).toEqual([[1, 2, 3], [4], [5]]);
  expect(pages[0]!.bytes).toBeLessThan(4 * 1024 * 1024 + 100);
});

test('an entry that the ledger has lost is not left out of a copy', async () => {
  const organizationId = anOrganization();
  await cell.produce(ordersOf(organizationId, 3, 1));
  await placed(cell, organizationId, 3);
  const attacker = await connectAttacker(cell);
  const copied = () => cell.moves.export({ organizationId, until: '3' });
  const [, second] = await cell.feedOf(organizationId);
  await expect(cell.moves.export({ organizationId, until: '4' })).resolves.toBeDefined();
  await attacker.query('delete from entries where order_id = $1', [second!.order_id]);
  await expect(copied()).rejects.toMatchObject({ kind: 'INTERNAL' });
  await attacker.query('delete from log_leaves where order_id = $1', [second!.order_id]);
  await expect(copied()).rejects.toMatchObject({ kind: 'INTERNAL' });
  await attacker.end();
});

test('a hold of work stops nothing in custody, and ends', async () => {
  const attempt = { organizationId: anOrganization(), token: 1n };
  expect(await cell.moves.hold({ ...attempt, level: Level.WORK })).toMatchObject({ remaining: 0n });
  await cell.moves.release(attempt);
  await cell.moves.release(attempt);
});

test('rejects requests that are not those of a move', async () => {
  const organizationId = anOrganization();
  const attempt = { organizationId, token: 1n };
  const wrong: Promise<unknown>[] = [
    cell.moves.mark({ organizationId: 'x' }),
    cell.moves.count({ organizationId: '' }),
    cell.moves.export({ organizationId, until: '' }),
    cell.moves.export({ organizationId, until: '-1' }),
    cell.moves.export({ organizationId, until: '1', since: '1e3' }),
    cell.moves.export({ organizationId, until: '1', page: '0x1' }),
    cell.moves.hold(attempt),
    cell.moves.hold({ ...attempt, level: 4 as Level }),
    cell.moves.hold({ organizationId, level: Level.WORK }),
    cell.moves.hold({ ...attempt, token: 2n ** 63n, level: Level.WORK }),
    cell.moves.hold({ ...attempt, level: Level.ARRIVING, probe: Uint8Array.of(1) }),
    cell.moves.release({ organizationId, token: 0n }),
    cell.moves.retire({ organizationId: 'x', token: 1n }),
  ];
  for (const { status, ...result } of await Promise.allSettled(wrong))
    expect({ status, ...result }).toMatchObject({
      status: 'rejected',
      reason: { kind: 'VALIDATION' },
    });
  const [held] = await cell.db.query('select from held_organizations where organization_id = $1', [
    organizationId,
  ]);
  expect(held).toBeUndefined();
});
