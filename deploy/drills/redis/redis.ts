import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { inLanes } from '../../../e2e/load.ts';
import { partner } from '../../../e2e/partner.ts';
import { openEntry } from '../bed/entry.ts';
import { openLoaded } from '../bed/loaded.ts';
import { requireValid } from '../bed/received.ts';
import { openRedis } from '../bed/redis.ts';
import type { Drill } from '../drill.ts';

const limit = 120;
const host = '127.0.0.1';

/** Redis has only counters: its loss makes no request fail, and no partner gets more than twice the limit. */
export const redis: Drill = {
  name: 'redis',
  summary: 'the replica of Redis is promoted, then all of Redis is lost and starts empty',
  run: async (bed) => {
    const first = await openRedis(bed, 'redis-1');
    const second = await openRedis(bed, 'redis-2', '--replicaof', host, `${first.port}`);
    const follows = async () => (await second.ask('INFO replication')).includes('link_status:up');
    await until(follows, { what: 'the replica' });
    const entry = await openEntry(bed, first.port);
    const env = { REDIS_URL: `redis://${host}:${entry.port}` };
    const on = await openLoaded(bed, { args: ['--no-demo', '--replicas', 'gateway=2'], env });
    const org = on.stack.file().organizations[0]!.id;
    const issue = async (): Promise<{ id: string; key: string }> => {
      const words = ['--org', org, '--scopes', 'orders:read', '--name', 'k', '--reads', `${limit}`];
      return (await on.operator('key', 'issue', ...words)).json;
    };
    /** Sends requests to both gateways. @returns how many were granted; each other got 429. */
    const granted = async (key: string, count: number): Promise<number> => {
      let ok = 0;
      await inLanes(count, 10, async (n) => {
        const { status } = await partner(on.stack, key).get('/ping', n % 2);
        assert(status === 200 || status === 429, `status ${status}`);
        if (status === 200) ok++;
      });
      return ok;
    };
    const fallbacks = () => on.metric('gateway', 'gateway_limiter_fallbacks_total');
    /** The limit is granted once; on a busy machine some requests do not wait for Redis. */
    const requireLimit = async (key: string): Promise<void> => {
      const got = await granted(key, 2 * limit);
      bed.note(`  ${got} of ${2 * limit} requests granted; fallbacks: ${await fallbacks()}`);
      assert(got >= limit && got < 1.5 * limit, 'one budget');
    };

    const { key } = await issue();
    await bed.step('one budget for both gateways', () => requireLimit(key));
    await bed.step('the master fails: the replica has the counts', async () => {
      first.kill();
      entry.cut();
      bed.note(
        `  ${await granted(key, 20)} of 20 requests were granted by the gateways' own shares`,
      );
      await second.ask('REPLICAOF NO ONE');
      entry.lead(second.port);
      await until(async () => (await granted(key, 2)) < 2, { what: 'the counts of the replica' });
      await on.closed(3);
    });
    await bed.step('all of Redis fails: limits in memory, revocations within 5 s', async () => {
      second.kill();
      const most = await granted((await issue()).key, limit + 40);
      assert(most <= limit, `${most} granted`);
      bed.note(`  ${most} of ${limit} granted by shares; fallbacks: ${await fallbacks()}`);
      const revoked = await issue();
      assert.equal(await granted(revoked.key, 1), 1);
      await on.operator('key', 'revoke', revoked.id);
      const ended = async () => (await partner(on.stack, revoked.key).get('/ping')).status === 401;
      await until(ended, { deadlineMs: 5000, what: '401' });
      await on.closed(3);
    });
    await bed.step('Redis starts empty: budgets begin again, nothing is restored', async () => {
      await second.start();
      const isCounted = async () => {
        const before = await fallbacks();
        await granted(key, 4);
        return (await fallbacks()) === before;
      };
      await until(isCounted, { what: 'requests to be counted in Redis' });
      await requireLimit((await issue()).key);
      await on.finish();
      on.unnoticed();
      await requireValid(on.operator);
    });
  },
};
