import assert from 'node:assert/strict';
import { orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { createOrder } from '../../../e2e/load.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { metricOf, type operatorOf, whileScaledToNone } from '../stage/local-stack.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { readable, setRetention } from './topics.ts';

const weekMs = 604_800_000;
const deadlineMs = 60_000;
const eventsUpToSealed = 6;

interface DeadLetter {
  readonly id: string;
  readonly key: string;
}

/**
 * Kafka deletes events of orders that custody has not read, while the topic's retention is shorter
 * than custody's lag; then the runbook MessagesLost.
 * @returns the orders of which events were deleted.
 */
export const loseMessages = async (
  stage: Stage,
  stack: LocalStack,
  operator: ReturnType<typeof operatorOf>,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  const walkAll = async (to: string) => {
    for (const id of ids) await operator('order', 'walk', id, '--to', to);
  };
  await whileScaledToNone(stage, stack, ['custody'], async () => {
    for (const n of [1, 2]) ids.push(await createOrder(stack, `lost-${n}`));
    await walkAll('SEALED');
    const sent = async () => (await metricOf(stack, 'orders', 'outbox_unsent')) === 0;
    await until(sent, { what: 'empty outboxes', deadlineMs });
    stage.note('  the retention of the topic is set to a second');
    await setRetention(stack, orderEventsTopic, 1000);
    await until(async () => (await readable(stack, orderEventsTopic)) === 0, {
      what: 'the messages to be deleted',
      deadlineMs,
    });
    await setRetention(stack, orderEventsTopic, weekMs);
    await walkAll('CLOSED');
    await until(sent, { what: 'empty outboxes', deadlineMs });
  });
  const lost = () => metricOf(stack, 'custody', 'bus_messages_lost_total');
  const deleted = ids.length * eventsUpToSealed;
  await until(async () => (await lost()) === deleted, {
    what: `bus_messages_lost_total to be ${deleted}`,
    deadlineMs,
  });
  stage.note(`  bus_messages_lost_total of custody is ${deleted}`);
  const parked = async (id: string): Promise<DeadLetter[]> =>
    ((await operator('dlq', 'list', '--topic', orderEventsTopic)).json as DeadLetter[]).filter(
      ({ key }) => key === id,
    );
  for (const id of ids) {
    const first = await until(
      async () => {
        const letters = await parked(id);
        return letters.length > 0 && letters;
      },
      { what: 'the later events to be parked', deadlineMs },
    );
    const events = await publishAgain(stack, id);
    stage.note(`  $ psql orders: update outbox set sent_at = null where key = '${id}'`);
    await until(async () => (await parked(id)).length === first.length + events, {
      what: 'the events to be parked again',
      deadlineMs,
    });
    const why = ['--reason', 'published again', '--yes'];
    for (const letter of first)
      assert.equal((await operator('dlq', 'discard', letter.id, ...why)).code, 0);
    const [next] = await parked(id);
    assert.equal((await operator('dlq', 'replay', next!.id)).json.failed, null);
    assert.deepEqual(await parked(id), []);
    assert.equal((await operator('ledger', 'verify', '--order', id)).json.valid, true);
  }
  return ids;
};

/** @returns the number of events. */
const publishAgain = (stack: LocalStack, id: string): Promise<number> =>
  asSuperuser(stack, 'orders', async (client) => {
    const { rowCount } = await client.query('update outbox set sent_at = null where key = $1', [
      id,
    ]);
    return rowCount ?? 0;
  });
