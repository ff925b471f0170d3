import { setTimeout as sleep } from 'node:timers/promises';
import { orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import { asSuperuser, type DatabaseName } from '../../../e2e/as-superuser.ts';
import { sendMessage } from '../../../e2e/faults/kafka.ts';
import { createOrder } from '../../../e2e/load.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { deleteMessages } from '../kafka/topics.ts';
import { metricOf, whileScaledToNone } from '../stage/local-stack.ts';
import type { AlertFault, AlertScene } from './scene.ts';

/** Runs statements as a superuser, whom no trigger stops. */
const asIntruder = ({ stage, stack }: AlertScene, database: DatabaseName, text: string) =>
  asSuperuser(stack, database, async (client) => {
    stage.note(`    psql ${database}: ${text}`);
    await client.query('set session_replication_role = replica');
    await client.query(text);
  });

/** Holds a lock on the orders for a second at a time, while partners read and create orders. */
const locked = async ({ stack, partners }: AlertScene) => {
  let on = true;
  const [known] = partners.placed;
  const holding = asSuperuser(stack, 'orders', async (client) => {
    while (on) {
      await client.query('begin; lock table orders in access exclusive mode');
      await sleep(1000);
      await client.query('rollback');
    }
  });
  const using = Array.from({ length: 30 }, async (_, n) => {
    const { get, post } = partner(stack);
    while (on)
      await (n % 2 === 0 ? get(`/orders/${known!.id}`) : post('/orders', orderBody())).catch(
        () => {},
      );
  });
  return async () => {
    on = false;
    await Promise.all([holding, ...using]);
  };
};

/** Faults of databases and of what lies on the bus. */
export const databaseFaults: readonly AlertFault[] = [
  {
    what: 'a session locks the orders, a second at a time',
    alerts: ['ApiWriteLatencyBurn', 'ApiReadLatencyBurn'],
    begin: locked,
  },
  {
    what: 'the role of orders loses a right',
    alerts: ['RpcsFailing'],
    begin: async (scene) => {
      const text = 'on locations from orders_service';
      await asIntruder(scene, 'orders', `revoke select ${text}`);
      return () => asIntruder(scene, 'orders', 'grant select on locations to orders_service');
    },
  },
  {
    what: 'somebody sends an event without proof of origin',
    alerts: ['MessagesRejected'],
    begin: async ({ stack, partners }) => {
      const key = partners.placed[0]!.id;
      await sendMessage(stack, orderEventsTopic, { key, value: 'forged' });
      return () => {};
    },
  },
  {
    what: 'Kafka deletes events before custody reads them',
    alerts: ['MessagesLost', 'DeadLettersWaiting'],
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
  },
  {
    what: 'somebody changes a stored entry',
    alerts: ['LedgerFault'],
    begin: async (scene) => {
      const id = scene.partners.placed[0]!.id;
      await asIntruder(
        scene,
        'custody',
        `update entries set event_hash = repeat('0', 64) where order_id = '${id}' and sequence = 2`,
      );
      return () => {};
    },
  },
  {
    what: 'somebody removes the last leaves of the log',
    alerts: ['LedgerHalted'],
    begin: async (scene) => {
      await asIntruder(
        scene,
        'custody',
        'delete from log_leaves where leaf_index >= (select size - 2 from log_state); ' +
          'update log_state set size = size - 2',
      );
      return () => {};
    },
  },
];
