/** Moves of organizations as the operators service runs them; e2e/test/moves has the real services. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { query } from '../operators-service.ts';
import { startTwoCells, type TwoCells } from './two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells(3);
}, 60_000);
afterAll(() => cells?.stop());

const begin = (organizationId: string) =>
  cells.moves.moveOrganization({ organizationId, cell: 'north' });

const sql = <Row extends object>(text: string, ...values: unknown[]) =>
  query<Row>(cells.first.database.ownerUrl, text, values);

const logged = () => [cells.first, ...cells.others].flatMap((one) => one.logged);

const isMoving = async (id: string) => {
  const [row] = await sql<{ is_moving: boolean }>(
    'select is_moving from organizations where id = $1',
    id,
  );
  return row!.is_moving;
};

const services = ['orders', 'custody', 'webhooks'];
const of = (cell: string, rpc: string, names = services) =>
  names.map((name) => `${cell} ${name} ${rpc}`);
/** A copy reads the marks, custody's first; those of the others are read together. */
const copy = services.flatMap((name) => [`main ${name} export`, `north ${name} import`]);

describe('moves', () => {
  test('an organization is copied while it is served, then held, copied again and switched', async () => {
    const id = await cells.newOrganization();
    const { move } = await begin(id);
    expect(move).toMatchObject({ source: 'main', target: 'north', phase: 'COPYING' });
    expect(await isMoving(id)).toBe(true);
    const switched = await cells.whenPhase(id, 'RETIRING');
    // by then every gateway looks the cell up for each request
    const age = Date.parse(switched.switchedAt!) - Date.parse(switched.startedAt);
    expect(age).toBeGreaterThanOrEqual(6000);
    // on a busy machine the first copy takes longer, and is followed by another one
    const first = switched.copies - 2;
    expect(first).toBeGreaterThanOrEqual(1);
    expect(switched.copiedRows).toBe(services.length * switched.copies);
    expect(switched.failure).toBeUndefined();
    expect(switched.heldMs).toBeLessThan(8000);
    expect(await cells.cellOf(id)).toBe('north');
    expect(await isMoving(id)).toBe(false);
    const steps = cells.callsOf(id).filter((at) => !/ (mark|count|serves)$/.test(at));
    expect(steps).toEqual([
      ...of('main', 'release'),
      ...of('north', 'hold 3'),
      ...Array.from({ length: first }, () => copy).flat(),
      'main webhooks hold 1', // deliveries end
      ...copy,
      'main orders hold 2', // from here on partners' changes wait
      'main custody hold 2',
      'main webhooks hold 2',
      ...copy,
      'north custody hold 3',
      ...of('north', 'release'),
    ]);
    // the source alone stores an object for the check of the stores, once and not in each copy
    const probes = cells.calls.filter((call) => call.request.probeId === move!.id);
    expect(probes.map(({ at }) => at)).toEqual(['main orders mark']);
    const exported = cells.calls.filter((call) => call.at === 'main orders export');
    const sinceMark = Array.from({ length: switched.copies - 1 }, () => 'mark of main');
    expect(exported.map(({ request }) => request.since)).toEqual(['', ...sinceMark]);
    // the counts are compared after the last copy and before the switch
    const all = cells.callsOf(id);
    expect(all.lastIndexOf('main orders count')).toBeGreaterThan(
      all.lastIndexOf('north webhooks import'),
    );
    expect(all.lastIndexOf('main orders count')).toBeLessThan(
      all.lastIndexOf('north orders release'),
    );
    // the copy of the source stays for calls that began before the switch
    expect(all.some((at) => at.endsWith('retire'))).toBe(false);
    await sql(
      "update organization_moves set next_try_at = '-infinity' where organization_id = $1",
      id,
    );
    await cells.whenPhase(id, 'MOVED');
    expect(cells.callsOf(id).slice(-6)).toEqual(
      ['webhooks', 'orders', 'custody'].flatMap((name) => [
        `main ${name} hold 2`,
        `main ${name} retire`,
      ]),
    );
  }, 60_000);

  test('a move waits for what must end before the last copy, and says so', async () => {
    const id = await cells.newOrganization();
    const left = { remaining: 2n, waitsFor: 'events that custody has not stored', mark: 'ends' };
    cells.answer(id, 'main orders hold 2', () => left);
    await begin(id);
    await until(async () => (await cells.moveOf(id))?.waitsFor?.includes('2 events that custody'), {
      what: 'the reason of the wait',
      deadlineMs: 30_000,
    });
    expect(await cells.cellOf(id)).toBe('main');
    cells.usual(id, 'main orders hold 2');
    await cells.whenPhase(id, 'RETIRING');
    const polls = cells.calls.filter(
      (one) => one.organizationId === id && one.at === 'main orders hold 2',
    );
    expect(polls[1]!.request.mark).toBe('ends');
  }, 60_000);

  test('a hold that takes too long is put back before a partner sees it, and tried again', async () => {
    const id = await cells.newOrganization();
    cells.answer(id, 'north custody hold 3', () => ({
      remaining: 1n,
      waitsFor: 'entries without a leaf',
    }));
    await begin(id);
    const failed = await until(
      async () => {
        const move = await cells.moveOf(id);
        return move?.failure?.includes('1 entries without a leaf') && move;
      },
      { what: 'the failed try', deadlineMs: 40_000 },
    );
    expect(failed).toMatchObject({ phase: 'COPYING', tries: 1 });
    const all = cells.callsOf(id);
    expect(all.slice(-3)).toEqual(of('main', 'release'));
    expect(await cells.cellOf(id)).toBe('main');
    cells.usual(id, 'north custody hold 3');
    await cells.whenPhase(id, 'RETIRING');
  }, 90_000);

  test('a copy in the hold that takes too long is put back in time, and writes go on', async () => {
    const id = await cells.newOrganization();
    const times = { held: 0, released: 0 };
    cells.answer(id, 'main orders hold 2', () => {
      times.held = performance.now();
      return {};
    });
    cells.answer(id, 'north webhooks import', () =>
      times.held === 0 ? { rows: 1 } : new Promise<object>(() => {}),
    );
    cells.answer(id, 'main webhooks release', () => {
      times.released = performance.now();
      return {};
    });
    await begin(id);
    const failed = await until(
      async () => {
        const move = await cells.moveOf(id);
        return move?.failure !== undefined && move;
      },
      { what: 'the failed try', deadlineMs: 40_000 },
    );
    expect(failed).toMatchObject({
      ...{ phase: 'COPYING', tries: 1 },
      failure: 'webhooks import: This took too long.',
    });
    // a partner's change waits for 9.75 s at most
    expect(times.released - times.held).toBeGreaterThan(7000);
    expect(times.released - times.held).toBeLessThan(9750);
    expect(await cells.cellOf(id)).toBe('main');
    cells.usual(id, 'north webhooks import');
    await cells.whenPhase(id, 'RETIRING');
  }, 90_000);

  test.each([
    ['the first copy', 'main orders release', /^main .* hold/],
    ['the copy before the hold', 'main webhooks hold 1', /^main .* hold 2/],
  ])(
    'no hold begins after %s if it is too long for one',
    async (_, since, held) => {
      const id = await cells.newOrganization();
      cells.answer(id, 'main webhooks export', async () => {
        if (cells.callsOf(id).includes(since)) await sleep(5200);
        return { rows: Buffer.from('[{}]') };
      });
      await begin(id);
      const failed = await until(async () => (await cells.moveOf(id))?.failure, {
        what: 'the failed try',
        deadlineMs: 40_000,
      });
      expect(failed).toMatch(/^The last copy before the hold took \d+\.\d s, and a hold has room/);
      expect(cells.callsOf(id).filter((at) => held.test(at))).toEqual([]);
      cells.usual(id, 'main webhooks export');
      await cells.moves.cancelMove({ organizationId: id });
      await cells.whenPhase(id, 'CANCELLED');
    },
    90_000,
  );

  test.each([
    [
      'a count differs',
      'north orders count',
      () => ({ rows: { things: 2n } }),
      'things has 1 rows in main and 2',
    ],
    [
      'an import fails',
      'north webhooks import',
      () => Promise.reject(new Failure('INTERNAL', 'disk full')),
      'disk full',
    ],
  ])(
    '%s: nothing is switched',
    async (_, at, answer, failure) => {
      const id = await cells.newOrganization();
      cells.answer(id, at, answer);
      await begin(id);
      await until(async () => (await cells.moveOf(id))?.failure?.includes(failure), {
        what: 'the failure',
        deadlineMs: 40_000,
      });
      expect(await cells.cellOf(id)).toBe('main');
      expect(cells.callsOf(id)).toContain('main webhooks release');
      await cells.moves.cancelMove({ organizationId: id });
      await cells.whenPhase(id, 'CANCELLED');
    },
    60_000,
  );

  test('after a difference of counts all rows are copied again', async () => {
    const id = await cells.newOrganization();
    cells.answer(id, 'north orders count', () => ({ rows: { things: 2n } }));
    await begin(id);
    await until(async () => (await cells.moveOf(id))?.failure?.includes('things has 1 rows'), {
      what: 'the difference',
      deadlineMs: 40_000,
    });
    cells.usual(id, 'north orders count');
    await cells.whenPhase(id, 'RETIRING');
    const exported = cells.calls.filter(
      (call) => call.organizationId === id && call.at === 'main orders export',
    );
    const complete = exported.filter(({ request }) => request.since === '');
    expect(complete.length).toBeGreaterThan(1);
  }, 90_000);

  test('cells that cannot take its rows end the move, and the target keeps nothing', async () => {
    const id = await cells.newOrganization();
    cells.answer(id, 'north custody mark', () => ({ schema: 'older' }));
    await begin(id);
    const { failure } = await cells.whenPhase(id, 'CANCELLED');
    expect(failure).toContain('custody has the schema newest in main and older in north');
    expect(cells.callsOf(id)).toEqual(expect.arrayContaining(of('north', 'retire')));
    expect(await isMoving(id)).toBe(false);
    expect(await cells.cellOf(id)).toBe('main');
  }, 30_000);

  test('an operator cancels a move: the source serves on, the target deletes its rows', async () => {
    const id = await cells.newOrganization();
    let pages = 0;
    cells.answer(id, 'main orders export', async () => {
      pages += 1;
      return { rows: Buffer.from('[]'), nextPage: `${pages}` }; // has no end
    });
    await begin(id);
    await until(() => pages > 3, { what: 'a copy' });
    await cells.moves.cancelMove({ organizationId: id });
    const { failure } = await cells.whenPhase(id, 'CANCELLED');
    expect(failure).toBe('an operator canceled the move');
    expect(cells.callsOf(id).slice(-9)).toEqual([
      ...of('main', 'release'),
      ...['webhooks', 'orders', 'custody'].flatMap((name) => [
        `north ${name} hold 2`,
        `north ${name} retire`,
      ]),
    ]);
    await expect(cells.moves.cancelMove({ organizationId: id })).rejects.toMatchObject({
      kind: 'NOT_FOUND',
    });
    // and moves later
    cells.usual(id, 'main orders export');
    await begin(id);
    await cells.whenPhase(id, 'RETIRING');
    await expect(cells.moves.cancelMove({ organizationId: id })).rejects.toMatchObject({
      kind: 'ILLEGAL_TRANSITION',
      message: 'The organization is in the cell north already.',
    });
    // the rejected cancellation does not shorten the time for which the source keeps its rows
    // a client may read a list for 5 min, after 30 s of waits in the gateway
    const waits = "next_try_at > clock_timestamp() + interval '330 s' as waits";
    const ofMove = 'organization_id = $1 and ended_at is null';
    expect(await sql(`select ${waits} from organization_moves where ${ofMove}`, id)).toEqual([
      { waits: true },
    ]);
  }, 60_000);

  test('a cancellation right before the switch wins', async () => {
    const id = await cells.newOrganization();
    cells.answer(id, 'north webhooks count', async () => {
      await cells.moves.cancelMove({ organizationId: id });
      return { rows: { things: 1n } };
    });
    await begin(id);
    const { failure } = await cells.whenPhase(id, 'CANCELLED');
    expect(failure).toBe('an operator canceled the move');
    expect(await cells.cellOf(id)).toBe('main');
  }, 60_000);

  test.each(services)(
    'while %s of the target serves, neither cell is changed, so that one of them takes changes',
    async (name) => {
      const id = await cells.newOrganization();
      const at = `north ${name} serves`;
      cells.answer(id, at, () => ({ serves: true }));
      const failure = `${name}: north has rows of the organization and no move holds them`;
      const fails = (phase: string) =>
        until(
          async () => {
            const move = await cells.moveOf(id);
            return move?.phase === phase && move.failure?.startsWith(failure);
          },
          { what: `the failure in ${phase}`, deadlineMs: 30_000 },
        );
      await begin(id);
      await fails('COPYING');
      await cells.moves.cancelMove({ organizationId: id });
      await fails('CANCELLING');
      const changes = cells
        .callsOf(id)
        .filter((call) => /(hold \d|import|retire|release)$/.test(call));
      expect(changes).toEqual([]);
      expect(await cells.cellOf(id)).toBe('main');
      cells.usual(id, at); // a copy
      await sql('update organization_moves set next_try_at = now() where organization_id = $1', id);
      await cells.whenPhase(id, 'CANCELLED');
      expect(cells.callsOf(id)).toEqual(expect.arrayContaining(of('north', 'retire')));
    },
    60_000,
  );

  test('a target that does not respond keeps the source from nothing, and is held by no try', async () => {
    const id = await cells.newOrganization();
    let hasHung = false;
    cells.answer(id, 'north webhooks serves', () => {
      if (hasHung) return { serves: true };
      hasHung = true;
      return new Promise<object>(() => {});
    });
    await begin(id);
    await until(async () => (await cells.moveOf(id))?.failure?.includes('no move holds them'), {
      what: 'the failure',
      deadlineMs: 40_000,
    });
    expect(cells.callsOf(id)).toContain('main webhooks release');
    expect(cells.callsOf(id).filter((at) => /^north .* hold/.test(at))).toEqual([]);
    cells.usual(id, 'north webhooks serves');
    await cells.moves.cancelMove({ organizationId: id });
    await cells.whenPhase(id, 'CANCELLED');
  }, 90_000);

  test('a failed release of the target is repeated without a growing pause', async () => {
    const id = await cells.newOrganization();
    const times: number[] = [];
    cells.answer(id, 'north webhooks release', async () => {
      if (times.push(performance.now()) <= 6) throw new Failure('INTERNAL', 'disk full');
      return {};
    });
    await begin(id);
    await cells.whenPhase(id, 'RETIRING');
    // pauses that double would take a minute
    expect(times.at(-1)! - times[0]!).toBeLessThan(20_000);
    const move = (await cells.moveOf(id))!;
    expect([move.failure, move.tries]).toEqual([undefined, 0]);
  }, 60_000);

  test('a move to a cell that the settings do not name shows it, and is canceled', async () => {
    const id = await cells.newOrganization();
    await sql(
      `insert into organization_moves (id, organization_id, source, target, phase, started_by)
       values ($2, $1, 'main', 'lost', 'COPYING', 'a test')`,
      ...[id, uuidv7()],
    );
    await sql('update organizations set is_moving = true where id = $1', id);
    const failure = 'The settings name no cell lost.';
    const failed = await until(
      async () => {
        const move = await cells.moveOf(id);
        return move?.failure === failure && move;
      },
      { what: 'the failure', deadlineMs: 20_000 },
    );
    expect(failed.tries).toBeGreaterThan(0);
    await cells.moves.cancelMove({ organizationId: id });
    await until(async () => (await cells.moveOf(id))?.phase === 'CANCELLING', {
      what: 'the cancellation',
    });
    expect(cells.callsOf(id).slice(-3)).toEqual(of('main', 'release'));
    // as growth.md says, for a cell that is lost
    await sql(
      `with ended as (update organization_moves set phase = 'CANCELLED', ended_at = clock_timestamp()
         where organization_id = $1 and phase = 'CANCELLING' returning organization_id)
       update organizations set is_moving = false where id in (select organization_id from ended)`,
      id,
    );
    expect((await cells.moveOf(id))!.phase).toBe('CANCELLED');
    await begin(id);
    await cells.whenPhase(id, 'RETIRING');
  }, 60_000);

  test('an organization of a cell that the settings do not name is rejected by the name', async () => {
    const id = await cells.newOrganization();
    await sql("update organizations set cell = 'lost' where id = $1", id);
    const unknown = {
      kind: 'VALIDATION',
      message: 'There is no cell lost. The cells: main, north.',
    };
    await expect(begin(id)).rejects.toMatchObject(unknown);
    await expect(cells.orders.searchOrders({ organizationId: id })).rejects.toMatchObject(unknown);
  });

  test('what cannot begin is refused and leaves nothing', async () => {
    const id = await cells.newOrganization();
    const to = (cell: string) => cells.moves.moveOrganization({ organizationId: id, cell });
    await expect(to('south')).rejects.toMatchObject({ kind: 'VALIDATION' });
    await expect(to('main')).rejects.toMatchObject({ kind: 'VALIDATION' });
    const open = new Failure('ILLEGAL_TRANSITION', '2 violations are open.');
    cells.answer(id, 'main orders mark', () => Promise.reject(open));
    await expect(to('north')).rejects.toMatchObject({ kind: open.kind, message: open.message });
    expect((await cells.moves.listMoves({ organizationId: id })).moves).toEqual([]);
    expect(await isMoving(id)).toBe(false);
    cells.usual(id, 'main orders mark');
    const twice = await Promise.allSettled([to('north'), to('north')]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await cells.moves.cancelMove({ organizationId: id });
    await cells.whenPhase(id, 'CANCELLED');
  }, 30_000);

  test('a try whose process has ended is continued by another one, with a greater token', async () => {
    const id = await cells.newOrganization();
    const hangs = Promise.withResolvers<object>();
    cells.answer(id, 'main orders hold 2', () => hangs.promise);
    await begin(id);
    await until(() => cells.callsOf(id).includes('main orders hold 2'), {
      what: 'the hold',
      deadlineMs: 30_000,
    });
    const first = cells.calls.findLast((one) => one.at === 'main orders hold 2')!;
    cells.usual(id, 'main orders hold 2');
    // as if the process that runs it had been killed and its lease had ended
    await sql(
      "update organization_moves set token = nextval('move_tokens'), leased_until = '-infinity' where organization_id = $1",
      id,
    );
    await cells.whenPhase(id, 'RETIRING');
    const later = cells.calls.findLast((one) => one.at === 'main orders hold 2')!;
    expect(BigInt(later.request.token as string)).toBeGreaterThan(
      BigInt(first.request.token as string),
    );
    // the try that was believed dead makes no further call
    await until(() => logged().some((line) => line.includes('another process runs the move')), {
      what: 'the end of the try',
    });
    hangs.resolve({});
    const ofFirst = cells.calls.filter((one) => one.request.token === first.request.token);
    expect(ofFirst.at(-1)).toBe(first);
    expect((await cells.moveOf(id))!.phase).toBe('RETIRING');
  }, 60_000);
});
