import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { openBrokers } from '../bed/brokers.ts';
import { openLoaded } from '../bed/loaded.ts';
import type { Drill } from '../drill.ts';
import { openServer } from '../postgres/server.ts';
import { mountSmallDisk } from './small-disk.ts';

const deadlineMs = 120_000;
const rejections = 20;

/** docs/operators/failures.md: the disk of a store is full, and has space again. */
export const diskFull: Drill = {
  name: 'disk-full',
  summary: 'the disk of PostgreSQL and of Kafka brokers is full: no acknowledged order is lost',
  run: async (bed) => {
    const disk = mountSmallDisk(bed, 'server-all', 400);
    const disks = [1, 2, 3].map((node) => mountSmallDisk(bed, `kafka-${node}`, 160));
    const server = await bed.step('PostgreSQL on a small disk', () => openServer(bed, 'all'));
    const brokers = await bed.step('three brokers on small disks', () => openBrokers(bed));
    const on = await openLoaded(bed, { env: { DATABASE_URL: server.url, ...brokers.env } });
    const { get, post } = partner(on.stack);
    const place = (name: string) => post('/orders', orderBody(), { 'idempotency-key': name });

    await bed.step('the disks of one and of two more brokers are full: orders go on', async () => {
      disks[0]!.fill();
      await brokers.ended(1);
      await on.closed(5);
      disks[0]!.free();
      await brokers.start(on.stack, 1);
      for (const one of disks.slice(1)) one.fill();
      await Promise.all([2, 3].map(brokers.ended));
      await on.closed(5);
      await on.metricIs('orders', 'outbox_unsent', (value) => value > 0);
      for (const one of disks.slice(1)) one.free();
      await brokers.start(on.stack, 2, 3);
      await on.closed(3);
      on.unnoticed();
      await on.complete();
    });
    await bed.step('the disk of PostgreSQL is full: 503 with Retry-After', async () => {
      const [known] = on.partners.placed;
      const codes: string[] = [];
      const begun = performance.now();
      for (let n = 0; codes.length < rejections; n++) {
        assert(performance.now() - begun < deadlineMs, 'creations are rejected');
        disk.fill(); // again: a segment of the log may have been recycled
        const { status, headers, text } = await place(`full-${n}`);
        if (status === 201) continue;
        assert.equal(status, 503, text);
        assert(Number(headers.get('retry-after')) > 0, 'a 503 has Retry-After');
        codes.push(JSON.parse(text).error.code);
        assert([200, 503].includes((await get(`/orders/${known!.id}`)).status));
      }
      bed.note(
        `  503 with ${[...new Set(codes)]}; the server ${server.hasEnded() ? 'has ended' : 'goes on'}`,
      );
    });
    await bed.step('it has space again', async () => {
      disk.free();
      const freed = performance.now();
      if (server.hasEnded()) await server.startAgain();
      await until(async () => (await place('after')).status === 201, { deadlineMs, what: 'a 201' });
      bed.note(`  the first 201 came ${Math.round(performance.now() - freed)} ms later`);
      await on.finish();
      await on.complete();
      on.unrestarted();
    });
  },
};
