import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { repeatedEvents } from '../../../e2e/deliveries.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { startUnawarePartner } from '../../../e2e/unaware-partner.ts';
import { closedIn, startReaders, statusText, underLoad } from '../bed/partners.ts';
import { allReceived } from '../bed/received.ts';
import { openStack, operatorOf } from '../bed/stack.ts';
import type { Drill } from '../drill.ts';

const replicas = 'gateway=2,operators=2,orders=2,custody=2,webhooks=2';
const cells = ['main', 'north'];

/** docs/operators/growth.md#move-an-organization */
export const organizationMove: Drill = {
  name: 'organization-move',
  summary:
    'an organization moves to another cell and back under load, once while its mover is killed; its partner notices nothing',
  run: async (stage) => {
    const stack = await stage.step('two cells', () =>
      openStack(stage, { args: ['--no-demo', '--cells', 'north', '--replicas', replicas] }),
    );
    const operator = operatorOf(stage, stack);
    const { id } = stack.file().organizations[0]!;
    const { receiver, partners } = await underLoad(stage, stack, 4);
    await closedIn(partners, 10);
    const unaware = await startUnawarePartner(stack);
    stage.atEnd(() => unaware.stop().catch(() => {}));
    const readers = startReaders(stack);
    stage.atEnd(readers.stop);

    const move = async (to: string) => {
      const placed = partners.placed.length;
      const { code, json } = await operator('org', 'move', id, '--to', to);
      assert.equal(code, 0);
      stage.note(
        `  ${json.copied_rows} rows in ${json.copies} copies; changes waited ${json.held_ms} ms; ` +
          `${partners.placed.length - placed} orders placed meanwhile`,
      );
      assert.equal((await operator('org', 'show', id)).json.cell, to);
      await closedIn(partners, 10);
      await unaware.requireContinuity();
      await retired(stack, id);
    };
    await stage.step('from main to north', () => move('north'));
    await stage.step('back to main', () => move('main'));

    const calm = new Map(partners.statuses);
    const calmReads = [...readers.failures, ...unaware.failures];
    await stage.step(
      'to north, and the process that runs the move is killed in the hold',
      async () => {
        const moving = operator('org', 'move', id, '--to', 'north');
        await until(() => changesWait(stack, id), {
          deadlineMs: 60_000,
          what: 'the hold',
        }).catch(async (error) => {
          stage.note(`  ${JSON.stringify((await operator('org', 'moves', id)).json)}`);
          throw error;
        });
        for (const { pid } of stack.file().services.filter(({ name }) => name === 'mover'))
          process.kill(pid, 'SIGKILL');
        assert.equal(await phaseOf(stack, id), 'HOLDING', 'the process was killed in the hold');
        stage.note('  kill -9 of the mover');
        const { code, json } = await moving;
        assert.equal(code, 0, `the command waits for the move: ${json?.failure}`);
        await until(async () => (await phaseOf(stack, id)) === 'RETIRING', {
          deadlineMs: 90_000,
          what: 'the switch',
        });
        await closedIn(partners, 10);
        await unaware.requireContinuity();
        await retired(stack, id);
        stage.note(`  responses to creations: ${statusText(partners.statuses)}`);
      },
    );

    await stage.step('nothing failed, nothing is lost, nothing came twice', async () => {
      await readers.stop();
      await partners.finish();
      const closed = partners.placed.map((order) => order.id);
      await allReceived(receiver, closed);
      await unaware.finish(closed);
      assert.deepEqual(repeatedEvents(receiver), []);
      for (const cell of cells) {
        await until(async () => (await operator('ledger', 'verify', '--cell', cell)).json.valid, {
          what: `a valid ledger of ${cell}`,
        });
        assert.deepEqual((await operator('ledger', 'violations', '--cell', cell)).json, []);
        assert.deepEqual((await operator('dlq', 'list', '--cell', cell)).json, []);
      }
      stage.note(`  ${closed.length} orders, ${receiver.received.length} webhooks`);
      stage.note(`  responses to creations: ${statusText(partners.statuses)}`);
      stage.note(
        `  reads: ${readers.requests()}; pages of the feed: ${statusText(unaware.feedStatuses)}`,
      );
      stage.note(`  steps of operators that failed and were repeated: ${partners.failedSteps()}`);
      assert.deepEqual([...calm.keys()], [201], 'each creation succeeded while nothing was killed');
      assert.deepEqual(calmReads, [], 'each read succeeded while nothing was killed');
      assert.deepEqual(readers.failures, [], 'reads that change nothing succeeded always');
      for (const failure of unaware.failures) stage.note(`  in the kill: ${failure}`);
      assert.ok(unaware.failures.every((failure) => failure.includes(': 503 ')));
      assert.deepEqual([...unaware.feedStatuses.keys()], [200]);
    });
  },
};

const phaseOf = async (stack: LocalStack, id: string): Promise<string | undefined> => {
  const newest =
    'select phase from organization_moves where organization_id = $1 order by id desc limit 1';
  const { rows } = await asSuperuser(stack, 'access', (client) =>
    client.query<{ phase: string }>(newest, [id]),
  );
  return rows[0]?.phase;
};

/** Whether the source rejects changes. */
const changesWait = async (stack: LocalStack, id: string): Promise<boolean> => {
  const held = 'select from held_organizations where organization_id = $1 and level = 2';
  const { rowCount } = await asSuperuser(stack, 'orders', (client) => client.query(held, [id]));
  return rowCount === 1;
};

/** The source keeps its rows for 5 min, for calls that began before the switch; not here. */
const retired = async (stack: LocalStack, id: string): Promise<void> => {
  const now = "update organization_moves set next_try_at = '-infinity' where organization_id = $1";
  await asSuperuser(stack, 'access', (client) => client.query(now, [id]));
  await until(async () => (await phaseOf(stack, id)) === 'MOVED', {
    deadlineMs: 60_000,
    what: 'the end of the move',
  });
};
