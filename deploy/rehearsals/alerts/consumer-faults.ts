import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { metricOf } from '../stage/local-stack.ts';
import { findInLog, pageFires, panelAsIn } from './runbook.ts';
import type { AlertFault } from './scene.ts';

const behindFrom = 5000;
const fillMaxMs = 60_000;

/** A consumer that cannot store what it reads, while more comes than the alert allows. */
export const consumerFaults: readonly AlertFault[] = [
  {
    what: "a session locks custody's inbox, and the events of orders are published again",
    alerts: ['ConsumerStopped', 'ConsumerBehind'].map((alert) => ({
      alert,
      labels: { group: 'custody.ledger' },
    })),
    begin: async (scene) => {
      const { stack } = scene;
      let unlock = (): void => {};
      const locked = new Promise<void>((resolve) => {
        unlock = resolve;
      });
      let isLocked = false;
      const holding = asSuperuser(stack, 'custody', async (client) => {
        await client.query('begin; lock table inbox in access exclusive mode');
        isLocked = true;
        await locked;
        await client.query('rollback');
      });
      await until(() => isLocked, { what: 'the lock' });
      const unsent = () => metricOf(stack, 'orders', 'outbox_unsent');
      const lag = async () => (await metricOf(stack, 'custody', 'bus_consumer_lag')) ?? 0;
      await until(
        async () => {
          if ((await lag()) > behindFrom) return true;
          if ((await unsent()) === 0)
            await asSuperuser(stack, 'orders', (client) =>
              client.query('update outbox set sent_at = null'),
            );
          return false;
        },
        { deadlineMs: fillMaxMs, what: `more than ${behindFrom} messages` },
      );
      return async () => {
        unlock();
        await holding;
        await until(async () => (await lag()) < 100, {
          deadlineMs: fillMaxMs,
          what: 'custody to handle what waited',
        });
      };
    },
    follow: async (scene) => {
      await findInLog(scene, 'ConsumerStopped', 'custody-0', 'batch failed, will be retried');
      await panelAsIn(
        scene,
        'ConsumerBehind',
        'Consumer lag',
        ({ group }, lag) => group === 'custody.ledger' && lag > behindFrom,
      );
      pageFires(scene, 'ConsumerBehind', 'ConsumerStopped');
    },
  },
];
