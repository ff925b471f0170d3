import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../e2e/partner.ts';
import { metricOf, openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, startPartners } from '../stage/partners.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openSentinel } from './sentinel.ts';

const limit = 120;
const deadlineMs = 60_000;

/** Redis has only counters: its loss makes no request fail, and no partner gets more than twice the limit. */
export const redisFailover: Rehearsal = {
  name: 'redis',
  summary: 'Sentinel fails over to the replica, then all of Redis starts empty',
  run: async (stage) => {
    const redis = await stage.step('Redis with Sentinel, behind HAProxy', () =>
      openSentinel(stage),
    );
    const stack = await stage.step('the services, with two gateways', () =>
      openStack(stage, {
        args: ['--no-demo', '--replicas', 'gateway=2'],
        env: { REDIS_URL: redis.url },
      }),
    );
    const operator = operatorOf(stage, stack);
    const org = stack.file().organizations[0]!.id;
    const issue = async () =>
      (
        await operator(
          ...['key', 'issue', '--org', org, '--scopes', 'orders:read', '--name', 'limited'],
          ...['--reads', `${limit}`],
        )
      ).json as { id: string; key: string };
    /** Sends requests to both gateways. @returns how many were granted; each other got 429. */
    const granted = async (key: string, count: number): Promise<number> => {
      const { get } = partner(stack, key);
      let ok = 0;
      for (let n = 0; n < count; n++) {
        const { status } = await get('/ping', n % 2);
        assert(status === 200 || status === 429, `status ${status}`);
        if (status === 200) ok++;
      }
      return ok;
    };
    const fallbacks = async () =>
      (await metricOf(stack, 'gateway', 'gateway_limiter_fallbacks_total')) ?? 0;
    const partners = startPartners(stack);
    stage.atEnd(() => partners.stop().catch(() => {}));

    const first = await issue();
    await stage.step('one budget for both gateways', async () => {
      assert.equal(await granted(first.key, limit + 20), limit);
      assert.equal(await fallbacks(), 0);
    });
    await stage.step('the master fails: the replica has the counts', async () => {
      const failing = redis.failOver();
      const meanwhile = await granted(first.key, 20);
      await failing;
      stage.note(`  ${meanwhile} of 20 requests were granted by the gateways' own shares`);
      await until(async () => (await granted(first.key, 2)) === 0, {
        deadlineMs: 30_000,
        what: 'the counts of the replica',
      });
      await closedIn(partners, 3);
    });
    await stage.step('all of Redis fails: limits in memory, revocations within 5 s', async () => {
      redis.killAll();
      const key = await issue();
      const most = await granted(key.key, limit + 40);
      assert(most <= limit, `${most} granted`);
      stage.note(`  ${most} of ${limit} granted by shares; fallbacks: ${await fallbacks()}`);
      const revoked = await issue();
      const status = async () => (await partner(stack, revoked.key).get('/ping')).status;
      assert.equal(await status(), 200);
      await operator('key', 'revoke', revoked.id);
      await until(async () => (await status()) === 401, { deadlineMs: 5000, what: '401' });
      await closedIn(partners, 3);
    });
    await stage.step('Redis starts empty: budgets begin again, nothing is restored', async () => {
      await redis.startEmpty();
      const counts = async () => {
        const before = await fallbacks();
        await granted(first.key, 4);
        return (await fallbacks()) === before;
      };
      await until(counts, { deadlineMs, what: 'requests to be counted in Redis' });
      const key = await issue();
      assert.equal(await granted(key.key, limit + 20), limit);
      await partners.finish();
      const failed = [...partners.statuses].filter(([status]) => status !== 201);
      assert.deepEqual(failed, [], 'every creation was accepted');
      await until(async () => (await operator('ledger', 'verify')).json.valid, {
        deadlineMs,
        what: 'a valid ledger',
      });
    });
  },
};
