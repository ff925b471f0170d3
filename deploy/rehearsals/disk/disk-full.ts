import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../e2e/partner.ts';
import { openBrokers } from '../kafka/brokers.ts';
import { inSync } from '../kafka/topics.ts';
import { metricOf, openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { allReceived, repeatedEvents } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { fillPostgres, openPostgres } from './postgres-disk.ts';
import { mountSmallDisk } from './small-disk.ts';

const deadlineMs = 120_000;

/** docs/operators/failures.md: the disk of a store is full, and has space again. */
export const diskFull: Rehearsal = {
  name: 'disk-full',
  summary: 'the disk of PostgreSQL and of Kafka brokers is full: no acknowledged order is lost',
  run: async (stage) => {
    const postgres = await stage.step('PostgreSQL on a small disk', () => openPostgres(stage));
    const disks = [1, 2, 3].map((node) => mountSmallDisk(stage, `kafka-${node}`, 160));
    const brokers = await stage.step('three brokers on small disks', () => openBrokers(stage));
    const stack = await stage.step('the services', () =>
      openStack(stage, {
        env: { DATABASE_URL: postgres.server.url, KAFKA_BROKERS: brokers.addresses.join(',') },
      }),
    );
    const operator = operatorOf(stage, stack);
    const { receiver, partners } = await underLoad(stage, stack);
    const pids = () => stack.file().services.map(({ pid }) => pid);
    /** Each acknowledged order is there, each event was received once, and the ledger is valid. */
    const complete = async (): Promise<void> => {
      await closedIn(partners, 3);
      const placed = [...partners.placed];
      for (const { id } of placed)
        assert.equal((await partner(stack).get(`/orders/${id}`)).status, 200, `order ${id}`);
      const closed = placed.filter((order) => order.closed).map(({ id }) => id);
      await allReceived(receiver, closed);
      await until(async () => (await operator('ledger', 'verify')).json.valid, {
        deadlineMs,
        what: 'a valid ledger',
      });
      assert.deepEqual((await operator('dlq', 'list')).json, []);
      stage.note(
        `  ${placed.length} acknowledged orders; ${repeatedEvents(receiver).length} events came twice`,
      );
    };
    /** Requires that each creation meanwhile got a 201. */
    const unnoticed = async (work: () => Promise<void>): Promise<void> => {
      const others = () => [...partners.statuses].filter(([status]) => status !== 201);
      const earlier = others();
      await work();
      assert.deepEqual(others(), earlier, 'each creation got a 201');
    };
    await closedIn(partners, 5);
    const before = pids();

    await stage.step('the disk of PostgreSQL is full, and has space again', async () => {
      await fillPostgres(stage, stack, postgres, partners);
      await complete();
      assert.deepEqual(pids(), before, 'no process of the services was restarted');
    });
    await stage.step('the disk of one broker is full: partners notice nothing', async () => {
      await unnoticed(async () => {
        disks[0]!.fill();
        await brokers.ended(1);
        await closedIn(partners, 5);
      });
      disks[0]!.free();
      await brokers.start(1);
      await inSync(stack, 3);
    });
    await stage.step('the disks of two brokers are full: orders are accepted', async () => {
      await unnoticed(async () => {
        disks[1]!.fill();
        disks[2]!.fill();
        await Promise.all([2, 3].map(brokers.ended));
        await closedIn(partners, 5);
      });
      await until(() => metricOf(stack, 'orders', 'outbox_unsent'), {
        deadlineMs,
        what: 'events that wait in the outbox',
      });
      for (const disk of disks.slice(1)) disk.free();
      await brokers.start(2, 3);
      await inSync(stack, 3);
      await complete();
      assert.deepEqual(pids(), before, 'no process of the services was restarted');
    });
  },
};
