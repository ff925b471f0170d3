import assert from 'node:assert/strict';
import { openBrokers } from '../bed/brokers.ts';
import { openLoaded } from '../bed/loaded.ts';
import type { Drill } from '../drill.ts';

/** docs/operators/failures.md, "Kafka": three brokers, of which each message needs two. */
export const brokersLost: Drill = {
  name: 'kafka-brokers',
  summary: 'one of three brokers is killed, then two: orders are accepted, events wait',
  run: async (bed) => {
    const brokers = await bed.step('three brokers', () => openBrokers(bed));
    const on = await openLoaded(bed, { env: brokers.env });

    await bed.step('one broker is killed: orders, ledger and webhooks go on', async () => {
      brokers.kill(1);
      await on.closed(5);
      await on.arrived();
      await brokers.start(on.stack, 1);
    });
    await bed.step('two brokers are killed: orders are accepted, events wait', async () => {
      brokers.kill(2);
      brokers.kill(3);
      await on.closed(8);
      await on.metricIs('orders', 'outbox_unsent', (value) => value > 0);
      for (const { name, healthUrl } of on.stack.file().services)
        assert((await fetch(healthUrl)).ok, `${name} is ready`);
      await brokers.start(on.stack, 2, 3);
    });
    await bed.step('nothing is lost, nothing came twice', async () => {
      await on.finish();
      await on.complete();
      on.unnoticed();
      on.unrestarted();
    });
  },
};
