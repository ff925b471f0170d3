import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { entryText, sha256Hex } from '@pto/custody-verifier';
import { uuidv7 } from '@pto/database';
import { Level } from '@pto/proto/moves/v1/moves';
import { toChainEntry } from '../../src/chain/read-chain.ts';
import { decodePage, type NumberedEntry } from '../../src/moves/page.ts';
import { anOrganization, eventsOf } from '../custody-service.ts';
import { type Cell, copy, finish, ordersOf, placed, startCell, type Try } from './cells.ts';

const organizationId = anOrganization();
const otherOrganization = anOrganization();
const attempt: Try = { organizationId, token: 1n };
let north: Cell;
let south: Cell;
/** Entries 1 to 6, which the target has, and 7 to 10, which come next. */
let known: NumberedEntry[];
let next: NumberedEntry[];
/** An entry that continues a chain that the target has of another organization. */
let foreign: NumberedEntry;
/** A page of another organization of the source. */
let otherPage: NumberedEntry[];

beforeAll(async () => {
  [north, south] = await Promise.all([startCell('north', 21), startCell('south', 22)]);
  const orders = ordersOf(organizationId, 2, 3);
  await north.produce(orders);
  await north.produce(ordersOf(otherOrganization, 1, 2));
  await placed(north, organizationId, 6);
  await placed(north, otherOrganization, 2);
  await south.moves.hold({ ...attempt, level: Level.ARRIVING });
  await copy(north, south, attempt);
  await north.produce([
    ...eventsOf(orders[0]!.orderId, organizationId, 5, { reference: 'r' }).slice(3),
    ...ordersOf(organizationId, 1, 2),
  ]);
  await placed(north, organizationId, 10);
  known = (await exported(organizationId, '', '6')).slice();
  next = (await exported(organizationId, '6', '10')).slice();
  otherPage = (await exported(otherOrganization, '', '2')).slice();
  const ofSouth = anOrganization();
  const foreignOrder = ordersOf(ofSouth, 1, 2);
  await south.produce(foreignOrder);
  await placed(south, ofSouth, 2);
  const [, head] = await south.feedOf(ofSouth);
  foreign = hashed({
    ...next[0]!,
    id: uuidv7(),
    order_id: head!.order_id,
    sequence: 3,
    prev_event_hash: head!.event_hash,
  });
}, 60_000);
afterAll(() => Promise.all([north.stop(), south.stop()]));

const exported = async (of: string, since: string, until: string) => {
  const { rows } = await north.moves.export({ organizationId: of, since, until });
  return decodePage(rows).entries;
};

/** The entry with the hash of what it says, as somebody forges one. */
const hashed = (entry: NumberedEntry): NumberedEntry => {
  const text = entryText(entry.order_id, toChainEntry(entry));
  return { ...entry, canonical_text: text, event_hash: sha256Hex(text) };
};

const importOf = (page: unknown, of = organizationId) =>
  south.moves.import({
    ...attempt,
    rows: Buffer.from(JSON.stringify({ organization_id: of, entries: page })),
  });

/** Everything that an import writes. */
const stored = async () => {
  const [row] = await south.db.query(
    `select (select count(*) from entries) as entries, (select count(*) from outbox
       where topic like '%custody-events%') as announced,
       (select count(*) from log_leaves) + (select count(*) from log_queue) as logged,
       (select string_agg(chains::text, ';' order by order_id) from chains) as chains`,
  );
  return row;
};

/** Replaces the nth entry. */
const changed = (
  page: readonly NumberedEntry[],
  n: number,
  change: (entry: NumberedEntry) => NumberedEntry,
) => page.map((entry, at) => (at === n ? change(entry) : entry));

const renumbered = (page: readonly NumberedEntry[]) =>
  page.map((entry, n) => ({ ...entry, number: 7 + n }));

const forgeries: readonly (readonly [
  name: string,
  says: string,
  page: () => unknown,
  of?: string,
])[] = [
  [
    'a changed payload',
    'event_hash does not match what the entry says',
    () => changed(next, 1, (entry) => ({ ...entry, payload: '{"reference":"forged"}' })),
  ],
  [
    'a changed payload of an entry that has a successor, with its hash',
    'entry 8 that does not follow the head',
    () => changed(next, 0, (entry) => hashed({ ...entry, payload: '{"reference":"forged"}' })),
  ],
  [
    'another canonical text',
    'the stored canonical text is not what the entry says',
    () => changed(next, 1, (entry) => ({ ...entry, canonical_text: `${entry.canonical_text} ` })),
  ],
  [
    'another head before it',
    'entry 7 that does not follow the head',
    () => changed(next, 0, (entry) => hashed({ ...entry, prev_event_hash: '0'.repeat(64) })),
  ],
  [
    'a skipped number of its order',
    'entry 7 that does not follow the head',
    () => changed(next, 0, (entry) => ({ ...entry, sequence: entry.sequence + 1 })),
  ],
  [
    'two entries of an order in the wrong order',
    'entry 7 that does not follow the head',
    () => renumbered([next[1]!, next[0]!, ...next.slice(2)]),
  ],
  [
    'values that no verifier accepts, with their hash',
    'gps_lat is neither null nor a number',
    () => changed(next, 3, (entry) => hashed({ ...entry, gps_lat: 91 })),
  ],
  ['a gap before it', 'begins with entry 8, this ledger has 6', () => next.slice(1)],
  ['a gap in it', 'has entry 9 behind 7', () => [next[0], ...next.slice(2)]],
  [
    'a number twice',
    'has entry 7 behind 7',
    () => [next[0], { ...next[1]!, number: 7 }, ...next.slice(2)],
  ],
  [
    'another hash at a stored number',
    'entry 3 that differs from the stored one',
    () => changed(known, 2, (entry) => hashed({ ...entry, payload: '{"reference":"forged"}' })),
  ],
  [
    'another time of the append at a stored number',
    'entry 6 that differs from the stored one',
    () => changed(known, 5, (entry) => ({ ...entry, appended_at: '2026-01-01 00:00:00+00' })),
  ],
  [
    'a stored entry again, behind the stored ones',
    'entry 7 that does not follow the head',
    () => renumbered([known[0]!]),
  ],
  [
    'an entry of an order that the target has for another organization',
    'entry 7 of an order of another organization',
    () => [foreign],
  ],
];

test.each(forgeries)('rejects a page with %s, and changes nothing', async (_, says, page) => {
  const before = await stored();
  await expect(importOf(page())).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining(says),
  });
  expect(await stored()).toEqual(before);
});

test('rejects a page of another organization, and changes nothing', async () => {
  const before = await stored();
  await expect(importOf(otherPage, otherOrganization)).rejects.toMatchObject({
    kind: 'ILLEGAL_TRANSITION',
    message: expect.stringContaining('is of another organization'),
  });
  expect(await stored()).toEqual(before);
});

test('rejects the id of an entry that exists, and changes nothing', async () => {
  const before = await stored();
  const page = changed(next, 3, (entry) => hashed({ ...entry, id: known[0]!.id }));
  await expect(importOf(page)).rejects.toMatchObject({ kind: 'INTERNAL' });
  expect(await stored()).toEqual(before);
});

test('rejects a page whose members do not have the types of the columns', async () => {
  const before = await stored();
  const { appended_at: _, ...incomplete } = next[0]!;
  const pages: unknown[] = [
    null,
    {},
    [null],
    [incomplete],
    [{ ...next[0], more: 1 }],
    [{ ...next[0], type: 'order\0' }],
    [{ ...next[0], type: '\ud800' }],
    [{ ...next[0], number: 7.5 }],
    [{ ...next[0], number: '7' }],
    [{ ...next[0], sequence: 2 ** 31 }],
    [{ ...next[0], id: next[0]!.id.toUpperCase() }],
    [{ ...next[0], gps_lat: '52' }],
    [{ ...next[0], payload: '{' }],
    [{ ...next[0], payload: '1' }],
    [{ ...next[0], appended_at: 'now' }],
    [{ ...next[0], external_id: 1 }],
  ];
  for (const page of pages)
    await expect(importOf(page)).rejects.toMatchObject({ kind: 'VALIDATION' });
  for (const rows of [Buffer.from(''), Buffer.from('null'), Buffer.from([0x22, 0xff, 0x22])])
    await expect(south.moves.import({ ...attempt, rows })).rejects.toMatchObject({
      kind: 'VALIDATION',
    });
  expect(await stored()).toEqual(before);
});

test('takes the honest pages, again and again, and the ledger is valid', async () => {
  expect(await importOf(known)).toMatchObject({ rows: 6 });
  expect(await importOf([...known.slice(3), ...next.slice(0, 2)])).toMatchObject({ rows: 5 });
  expect(await importOf(next)).toMatchObject({ rows: 4 });
  await finish(north, south, attempt);
  expect(await south.feedOf(organizationId)).toEqual(await north.feedOf(organizationId));
  expect(await south.announcedOf(organizationId)).toEqual([]);
  expect(await south.verify()).toEqual([]);
}, 30_000);
