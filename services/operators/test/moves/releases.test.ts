/** The ends of holds, for which partners' changes wait, in one process of the operators service. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { query } from '../operators-service.ts';
import { startTwoCells, type TwoCells } from './two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
}, 60_000);
afterAll(() => cells?.stop());

const begin = (organizationId: string) =>
  cells.moves.moveOrganization({ organizationId, cell: 'north' });

/** An organization whose copy has no end until `end` is called. */
const newWithEndlessCopy = async () => {
  const id = await cells.newOrganization();
  const { promise, resolve: end } = Promise.withResolvers<object>();
  cells.answer(id, 'main orders export', () => promise);
  return {
    id,
    end: () => end({ rows: Buffer.from('[{}]') }),
    copies: async () => {
      await until(() => cells.callsOf(id).includes('main orders export'), {
        what: 'the copy of another organization',
        deadlineMs: 30_000,
      });
      return {};
    },
  };
};

test('a failed release does not wait for the copy of another organization', async () => {
  const [id, other] = [await cells.newOrganization(), await newWithEndlessCopy()];
  let failures = 0;
  cells.answer(id, 'north webhooks release', () => {
    if (failures++ === 0) throw new Failure('INTERNAL', 'disk full');
    return other.copies();
  });
  await begin(id);
  await begin(other.id);
  await cells.whenPhase(id, 'RETIRING');
  expect(cells.callsOf(other.id)).toContain('main orders export');
  other.end();
  await cells.whenPhase(other.id, 'RETIRING');
}, 90_000);

test('the hold of a process that was killed does not wait for another copy either', async () => {
  const [id, other] = [await cells.newOrganization(), await newWithEndlessCopy()];
  await begin(other.id);
  await other.copies();
  await begin(id);
  await query(
    cells.first.database.ownerUrl,
    `update organization_moves set phase = 'HOLDING', leased_until = '-infinity'
     where organization_id = $1 and ended_at is null`,
    [id],
  );
  await until(() => cells.callsOf(id).includes('main webhooks release'), {
    what: 'the end of the hold',
  });
  other.end();
  for (const one of [id, other.id]) await cells.whenPhase(one, 'RETIRING');
}, 120_000);

test('nor does the end of a pause of deliveries', async () => {
  const [id, other] = [await cells.newOrganization(), await newWithEndlessCopy()];
  let [isPaused, releases] = [false, 0];
  cells.answer(id, 'main webhooks hold 1', () => {
    isPaused = true;
    throw new Failure('INTERNAL', 'disk full');
  });
  cells.answer(id, 'main webhooks release', () => {
    if (!isPaused) return {};
    if (++releases === 1) throw new Failure('INTERNAL', 'disk full');
    return other.copies();
  });
  await begin(id);
  await begin(other.id);
  await until(() => releases > 1, { what: 'the second release', deadlineMs: 30_000 });
  cells.usual(id, 'main webhooks hold 1');
  other.end();
  for (const one of [id, other.id]) await cells.whenPhase(one, 'RETIRING');
}, 120_000);

test('a release that gets no response is sent again soon', async () => {
  const id = await cells.newOrganization();
  const times: number[] = [];
  cells.answer(id, 'north orders release', () =>
    times.push(performance.now()) === 1 ? new Promise<object>(() => {}) : {},
  );
  await begin(id);
  await cells.whenPhase(id, 'RETIRING');
  // a call has 30 s
  expect(times[1]! - times[0]!).toBeLessThan(15_000);
}, 60_000);
