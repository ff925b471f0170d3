import assert from 'node:assert/strict';
import { orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { sendMessage } from '../../../e2e/faults/kafka.ts';
import { createOrder } from '../../../e2e/load.ts';
import { deleteMessages } from '../kafka/topics.ts';
import { metricOf, whileScaledToNone } from '../stage/local-stack.ts';
import { asIntruder, rightLost } from './as-intruder.ts';
import { locked, lockedForLong } from './order-locks.ts';
import { findInLog, operatorAsIn, panelAsIn, queryAsIn } from './runbook.ts';
import type { AlertFault } from './scene.ts';

/** Reasons of messages that were rejected begin so; those of parked ones do not. */
const notAuthentic = 'The message is not authentic';
const orderRoute = '/orders/:order_id';

/** Faults of databases and of what lies on the bus. */
export const databaseFaults: readonly AlertFault[] = [
  {
    what: 'a session locks the orders, a second at a time',
    alerts: [{ alert: 'ApiWriteLatencyBurn' }, { alert: 'ApiReadLatencyBurn' }],
    begin: locked,
    follow: async (scene) => {
      const [reads, writes] = ['ApiReadLatencyBurn', 'ApiWriteLatencyBurn'];
      const title = '95th percentile by route';
      await panelAsIn(
        scene,
        reads,
        title,
        ({ method, route }, seconds) => method === 'GET' && route === orderRoute && seconds > 0.25,
      );
      await queryAsIn(scene, reads, 'orders', ({ query }) => `${query}`.includes('lock table'));
      await panelAsIn(
        scene,
        writes,
        'Transactions, 95th percentile',
        ({ service }, seconds) => service === 'orders' && seconds > 0.5,
      );
    },
  },
  {
    what: 'the role of orders loses a right',
    alerts: [{ alert: 'RpcsFailing' }],
    begin: rightLost('orders', 'select', 'locations'),
    follow: (scene) => findInLog(scene, 'RpcsFailing', 'orders-0', 'call failed'),
  },
  {
    what: 'the role of the gateway loses a right',
    alerts: [{ alert: 'RequestLogIncomplete' }],
    begin: rightLost('access', 'insert', 'requests'),
    follow: (scene) =>
      findInLog(scene, 'RequestLogIncomplete', 'gateway-0', 'cannot write the log of requests'),
  },
  {
    what: 'a session locks the orders, while operators assign 30 of them',
    alerts: [{ alert: 'DatabasePoolExhausted' }],
    begin: lockedForLong,
    follow: (scene) =>
      queryAsIn(
        scene,
        'DatabasePoolExhausted',
        'orders',
        ({ wait_event_type: waits, count }) => waits === 'Lock' && Number(count) > 1,
      ),
  },
  {
    what: 'somebody sends an event without proof of origin',
    alerts: [{ alert: 'MessagesRejected' }],
    begin: async ({ stack, partners }) => {
      const key = partners.placed[0]!.id;
      await sendMessage(stack, orderEventsTopic, { key, value: 'forged' });
      return () => {};
    },
    follow: async (scene) => {
      const line = 'messages rejected: not authentic';
      await findInLog(scene, 'MessagesRejected', 'custody-0', line);
      const { json } = await operatorAsIn(scene, 'MessagesRejected', 'dlq list');
      const reasons: string[] = json.map(({ reason }: { reason: string }) => reason);
      const found = reasons.filter((reason) => reason.startsWith(notAuthentic));
      assert.notEqual(found.length, 0, 'the rejected message is listed with its reason');
    },
  },
  {
    what: 'Kafka deletes events before custody reads them',
    alerts: [{ alert: 'MessagesLost' }, { alert: 'DeadLettersWaiting' }],
    begin: async (scene) => {
      const { stage, stack, operator } = scene;
      const unsent = () =>
        until(async () => (await metricOf(stack, 'orders', 'outbox_unsent')) === 0, {
          what: 'empty outboxes',
        });
      await whileScaledToNone(stage, stack, ['custody'], async () => {
        const id = await createOrder(stack, 'lost');
        await operator('order', 'walk', id, '--to', 'SEALED');
        await unsent();
        await deleteMessages(stack, orderEventsTopic);
        await operator('order', 'walk', id, '--to', 'CLOSED');
        await unsent();
      });
      return () => {};
    },
    follow: async (scene) => {
      const line = 'messages were deleted before the group had read them';
      await findInLog(scene, 'MessagesLost', 'custody-0', line);
      const { json } = await operatorAsIn(scene, 'DeadLettersWaiting', 'dlq list');
      const parked = json.filter(
        ({ reason }: { reason: string }) => !reason.startsWith(notAuthentic),
      );
      assert.notEqual(parked.length, 0, 'parked messages are listed');
    },
  },
  {
    what: 'somebody changes a stored entry',
    alerts: [{ alert: 'LedgerFault' }],
    begin: async (scene) => {
      const id = scene.partners.placed[0]!.id;
      await asIntruder(
        scene,
        'custody',
        `update entries set event_hash = repeat('0', 64) where order_id = '${id}' and sequence = 2`,
      );
      return () => {};
    },
    follow: async (scene) => {
      const id = scene.partners.placed[0]!.id;
      await findInLog(scene, 'LedgerFault', 'auditor-0', 'integrity violation');
      const listed = await operatorAsIn(scene, 'LedgerFault', 'ledger violations');
      assert.ok(
        listed.json.some(({ order_id: order }: { order_id: string }) => order === id),
        'the violation names the order',
      );
      const shown = await operatorAsIn(scene, 'LedgerFault', 'order show ID', id);
      assert.notEqual(shown.json.custody_violations.length, 0, 'the order shows its violation');
      const verified = await operatorAsIn(scene, 'LedgerFault', 'ledger verify');
      assert.equal(verified.code, 1);
    },
  },
  {
    what: 'somebody removes the last leaves of the log',
    alerts: [{ alert: 'LedgerHalted' }],
    begin: async (scene) => {
      await asIntruder(
        scene,
        'custody',
        // leaves that a checkpoint covers: of later ones the auditor tells
        'update log_state set size = (select max(size) from log_checkpoints) - 2; ' +
          'delete from log_leaves where leaf_index >= (select size from log_state)',
      );
      return () => {};
    },
    follow: (scene) =>
      findInLog(
        scene,
        'LedgerHalted',
        'custody-0',
        'the log contradicts a checkpoint: nothing is appended',
      ),
  },
];
