import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { signalAll } from '../../../e2e/kill.ts';
import { createOrder } from '../../../e2e/load.ts';
import { partner } from '../../../e2e/partner.ts';
import { startReceiver } from '../../../e2e/receiver.ts';
import { metricOf } from '../stage/local-stack.ts';
import { asIntruder, rightLost } from './as-intruder.ts';
import {
  findInLog,
  operatorAsIn,
  pageFires,
  panelAsIn,
  queryAsIn,
  requireNamed,
} from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';

/** Longer than the 5 s of the objective. */
const withoutRightMs = 9000;
const withRightMs = 1500;
const leaseMaxMs = 180_000;

const claimLost = rightLost('webhooks', 'update', 'pending_deliveries');

/** One endpoint that does not respond gets one event; webhooks is killed in each of its attempts. */
const killedInAttempts = async ({ stack, stage, operator }: AlertScene): Promise<void> => {
  const hanging = await startReceiver(stack);
  stage.atEnd(hanging.stop);
  const endpoint = { url: hanging.url, event_filter: ['order.cancelled'] };
  const { body } = await partner(stack).post('/webhooks', endpoint);
  assert.equal(body.status, 'ENABLED', JSON.stringify(body));
  hanging.state.status = null;
  await operator('order', 'cancel', await createOrder(stack, 'cancelled'), '--reason', 'rehearsal');
  const leased = (number: number) =>
    asSuperuser(stack, 'webhooks', async (client) => {
      const { rows } = await client.query(
        `select from pending_deliveries
         where endpoint_id = $1 and attempts = $2 and lease_until > now()`,
        [body.id, number],
      );
      return rows.length > 0;
    });
  for (const number of [1, 2, 3]) {
    await until(() => leased(number), { deadlineMs: leaseMaxMs, what: `attempt ${number}` });
    stage.note(`    kill -9 webhooks, in attempt ${number}`);
    signalAll(stack, 'webhooks', 'SIGKILL');
  }
};

/** Faults of webhooks and of their database. */
export const deliveryFaults: readonly AlertFault[] = [
  {
    what: 'webhooks is killed in each attempt at one endpoint',
    alerts: [
      { alert: 'ProcessRestarts', labels: { service: 'webhooks' } },
      { alert: 'DeliveriesSuspect' },
    ],
    prepare: killedInAttempts,
    begin: async () => () => {},
    follow: async (scene) => {
      pageFires(scene, 'ProcessRestarts', 'DeliveriesSuspect');
      requireNamed(scene, 'ProcessRestarts', 'No line at `fatal`: the process was killed');
      assert.doesNotMatch(scene.logs('webhooks-0'), /"level":"fatal"/);
      const line = 'deliveries lost their lease 3 times or more';
      await findInLog(scene, 'DeliveriesSuspect', 'webhooks-0', line);
      await queryAsIn(scene, 'DeliveriesSuspect', 'webhooks');
    },
  },
  {
    what: 'the role of webhooks cannot lease deliveries, 9 s at a time',
    // attempts of the last 5 s before the right is back are in time, so too few are late for a page
    alerts: [{ alert: 'WebhookFirstAttemptBurn', labels: { severity: 'ticket' } }],
    begin: async (scene) => {
      let on = true;
      const working = (async () => {
        while (on) {
          const end = await claimLost(scene);
          await sleep(withoutRightMs);
          await end();
          await sleep(withRightMs);
        }
      })();
      return async () => {
        on = false;
        await working;
      };
    },
    follow: async (scene) => {
      const alert = 'WebhookFirstAttemptBurn';
      await panelAsIn(scene, alert, 'First attempt after', (_, seconds) => seconds > 5);
      requireNamed(scene, alert, '[DeliveriesOverdue](DeliveriesOverdue.md)');
      const line = 'due deliveries could not be claimed';
      await findInLog(scene, 'DeliveriesOverdue', 'webhooks-0', line);
    },
  },
  {
    what: 'the role of webhooks cannot lease deliveries',
    alerts: [{ alert: 'DeliveriesOverdue' }],
    begin: claimLost,
    follow: async (scene) => {
      const line = 'due deliveries could not be claimed';
      await findInLog(scene, 'DeliveriesOverdue', 'webhooks-0', line);
      const { body } = await partner(scene.stack).get('/webhooks');
      const id = body.find(({ url }: { url: string }) => url === scene.receiver.url).id;
      const words = 'delivery list --endpoint ID --state PENDING';
      const { json } = await operatorAsIn(scene, 'DeliveriesOverdue', words, id);
      assert.notEqual(json.length, 0, 'pending deliveries are listed');
    },
  },
  {
    what: 'a constraint rejects deliveries of one event',
    alerts: [{ alert: 'DeliveriesRefusedByDatabase' }],
    begin: async (scene) => {
      const name = 'no_sealed_orders';
      const check = `add constraint ${name} check (event <> 'order.sealed') not valid`;
      await asIntruder(scene, 'webhooks', `alter table deliveries ${check}`);
      return async () => {
        await asIntruder(scene, 'webhooks', `alter table deliveries drop constraint ${name}`);
        const left = () => metricOf(scene.stack, 'webhooks', 'webhook_refused_deliveries');
        await until(async () => (await left()) === 0, {
          deadlineMs: 100_000,
          what: 'an empty quarantine, as the runbook says',
        });
      };
    },
    follow: (scene) => queryAsIn(scene, 'DeliveriesRefusedByDatabase', 'webhooks'),
  },
];
