import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyProof } from '@pto/custody-verifier';
import { Level } from '@pto/proto/moves/v1/moves';
import { proofJson } from '@pto/representation';
import { until } from '@pto/testing';
import { startAuditorBeside } from '../auditor/auditor-under-test.ts';
import { anOrganization, eventsOf } from '../custody-service.ts';
import { startWriters } from '../writers.ts';
import {
  type Cell,
  copy,
  finish,
  holdUntilDone,
  ordersOf,
  placed,
  startCell,
  type Try,
} from './cells.ts';

type Auditor = Awaited<ReturnType<typeof startAuditorBeside>>;

let north: Cell;
let south: Cell;
let auditors: readonly [Auditor, Auditor];
beforeAll(async () => {
  [north, south] = await Promise.all([startCell('north', 21), startCell('south', 22)]);
  auditors = [await startAuditorBeside(north), await startAuditorBeside(south)];
}, 60_000);
afterAll(async () => {
  await Promise.all(auditors.map((auditor) => auditor.stop()));
  await Promise.all([north.stop(), south.stop()]);
});

/** Requires that neither the auditors nor an operator find anything, in both cells. */
const requireNoViolation = async () => {
  await Promise.all(auditors.map((auditor) => auditor.fullAudits(1)));
  expect(auditors.map((auditor) => auditor.notified())).toEqual([[], []]);
  expect([await north.verify(), await south.verify()]).toEqual([[], []]);
};

const requireEqual = async (organizationId: string): Promise<void> => {
  expect(await south.feedOf(organizationId)).toEqual(await north.feedOf(organizationId));
  expect(await south.chainsOf(organizationId)).toEqual(await north.chainsOf(organizationId));
  const count = { organizationId };
  expect((await south.moves.count(count)).rows).toEqual((await north.moves.count(count)).rows);
};

const proofOf = async (cell: Cell, organizationId: string, orderId: string): Promise<string> => {
  const request = { orderId, organizationId, whole: true };
  const proof = await until(
    async () => {
      const found = await cell.custody.getProof(request);
      return found.log && found.completeness && found;
    },
    { what: 'a proof', deadlineMs: 30_000 },
  );
  return JSON.stringify(proofJson(orderId, proof, new Map()));
};

const verdictOf = async (cell: Cell, proof: string) => {
  const { keys } = await cell.log.listKeys({});
  const trustedKeys = keys.map(({ vkey }) => ({ vkey }));
  return verifyProof(proof, { trustedKeys });
};

/** Follows the feed from a number on, as a partner's client does. */
const idsAfter = async (cell: Cell, organizationId: string, cursor: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let after = BigInt(cursor), more = true; more; ) {
    const page = await cell.custody.listOrganizationEvents({ organizationId, after, limit: 100 });
    for (const { number, id } of page.events) {
      expect(number).toBe(++after);
      ids.push(id);
    }
    more = page.hasMore;
  }
  return ids;
};

test('moves the entries of an organization under load with equal numbers, hashes and chains', async () => {
  const organizationId = anOrganization();
  const attempt = { organizationId, token: 1n };
  const history = ordersOf(organizationId, 250, 9);
  await north.produce(history);
  await placed(north, organizationId, history.length);
  const orderId = history[0]!.orderId;
  const oldProof = await proofOf(north, organizationId, orderId);
  const others = [startWriters(north, 2), startWriters(south, 2)];
  const own = startWriters(north, 2, organizationId);

  await south.moves.hold({ ...attempt, level: Level.ARRIVING });
  const first = await copy(north, south, attempt);
  expect(first.pages.length).toBeGreaterThan(2);
  const second = await copy(north, south, attempt, first.mark);
  expect(second.pages.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(0);
  const written = history.length + (await own.stop());
  await placed(north, organizationId, written);
  await finish(north, south, attempt, second.mark);
  for (const other of others) expect(await other.stop()).toBeGreaterThan(0);
  await requireEqual(organizationId);
  expect(await south.feedOf(organizationId)).toHaveLength(written);
  expect(await south.announcedOf(organizationId)).toEqual([]);

  const cursor = 1500;
  const all = (await north.feedOf(organizationId)).map(({ id }) => id);
  const serves = async () => (await south.moves.serves({ organizationId })).serves;
  expect(await serves()).toBe(false);
  await south.moves.release(attempt);
  expect(await serves()).toBe(true);
  const next = eventsOf(orderId, organizationId, 11).slice(9);
  await south.produce(next);
  await placed(south, organizationId, written + 2);
  expect(await idsAfter(south, organizationId, cursor)).toEqual([
    ...all.slice(cursor),
    ...next.map(({ id }) => id),
  ]);
  expect(await south.announcedOf(organizationId)).toEqual(next.map(({ id }) => id));

  const newProof = await proofOf(south, organizationId, orderId);
  expect(await verdictOf(south, newProof)).toMatchObject({ verdict: 'proven', entries: 11 });
  expect(await verdictOf(north, oldProof)).toMatchObject({ verdict: 'proven', entries: 9 });
  const again = await proofOf(north, organizationId, orderId);
  expect(await verdictOf(north, again)).toMatchObject({ verdict: 'proven', entries: 9 });
  expect(await north.moves.retire(attempt)).toMatchObject({ more: false });
  expect((await north.feedOf(organizationId)).map(({ id }) => id)).toEqual(all);
  await requireNoViolation();
}, 180_000);

test('an organization moves back: what the first cell has already stays, the rest follows', async () => {
  const organizationId = anOrganization();
  const there: Try = { organizationId, token: 1n };
  const back: Try = { organizationId, token: 2n };
  const history = ordersOf(organizationId, 5, 4);
  await north.produce(history);
  await placed(north, organizationId, 20);
  await south.moves.hold({ ...there, level: Level.ARRIVING });
  await finish(north, south, there);
  await south.moves.release(there);
  await south.produce(eventsOf(history[0]!.orderId, organizationId, 7).slice(4));
  const added = ordersOf(organizationId, 3, 2);
  await south.produce(added);
  await placed(south, organizationId, 29);

  await north.moves.hold({ ...back, level: Level.ARRIVING });
  await finish(south, north, back);
  await north.moves.release(back);
  await requireEqual(organizationId);
  await north.produce(eventsOf(added[0]!.orderId, organizationId, 3).slice(2));
  await placed(north, organizationId, 30);
  expect(await idsAfter(north, organizationId, 0)).toHaveLength(30);
  await requireNoViolation();
}, 120_000);

test('a canceled move leaves both ledgers valid, and a later one continues behind its entries', async () => {
  const organizationId = anOrganization();
  const canceled: Try = { organizationId, token: 1n };
  const later: Try = { organizationId, token: 2n };
  const history = ordersOf(organizationId, 6, 3);
  await north.produce(history);
  await placed(north, organizationId, 18);
  await south.moves.hold({ ...canceled, level: Level.ARRIVING });
  await copy(north, south, canceled);
  await holdUntilDone(north, canceled, Level.WRITES);
  await north.moves.release(canceled);
  expect(await south.moves.retire(canceled)).toMatchObject({ more: false });
  await north.produce(eventsOf(history[0]!.orderId, organizationId, 5).slice(3));
  await placed(north, organizationId, 20);
  await requireNoViolation();

  await south.moves.hold({ ...later, level: Level.ARRIVING });
  await finish(north, south, later);
  await requireEqual(organizationId);
  await requireNoViolation();
}, 120_000);
