import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import fc from 'fast-check';
import { healthChanges, isBroken } from '../../src/health/health.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const limits = { brokenFailures: 100, brokenMinAgeMs: 3_600_000, brokenSilenceMs: 72 * 3_600_000 };
const now = Date.UTC(2026, 0, 15);
const well = { consecutiveFailures: 0, failingSince: null, lastWellAt: now, exhausted: 0 };
const hours = (n: number) => now - n * 3_600_000;

describe('the verdict', () => {
  test.each([
    ['well', {}, false],
    ['99 failures in a day', { consecutiveFailures: 99, failingSince: hours(24) }, false],
    ['100 failures within the hour', { consecutiveFailures: 100, failingSince: hours(0.9) }, false],
    ['100 failures in an hour', { consecutiveFailures: 100, failingSince: hours(1) }, true],
    ['72 h without success, nothing given up', { lastWellAt: hours(72) }, false],
    ['71 h without success, one given up', { lastWellAt: hours(71), exhausted: 1 }, false],
    ['72 h without success, one given up', { lastWellAt: hours(72), exhausted: 1 }, true],
  ])('%s', (_, health, broken) => {
    expect(isBroken({ ...well, ...health }, limits, now)).toBe(broken);
  });
});

test('attempts written together change health as if written one by one', () => {
  const attempts = fc.array(fc.record({ succeeded: fc.boolean(), last: fc.boolean() }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(attempts, fc.nat(5), (ended, earlier) => {
      let [failures, exhausted, since] = [earlier, 0, earlier > 0 ? -1 : null];
      const given = ended.map(({ succeeded, last }, n) => {
        if (succeeded) [failures, exhausted, since] = [0, 0, null];
        else {
          failures += 1;
          exhausted += last ? 1 : 0;
          since ??= n;
        }
        return {
          organizationId: 'o',
          endpointId: 'e',
          urlVersion: 1,
          succeeded,
          exhausted: !succeeded && last,
          endedAt: new Date(n),
        };
      });
      const [change] = healthChanges(given);
      if (!change) return ended.length === 0;
      const first = change.firstFailureAt?.getTime() ?? null;
      return (
        (change.succeeded ? 0 : earlier) + change.failures === failures &&
        change.exhausted === exhausted &&
        (change.succeeded ? first : earlier > 0 ? -1 : first) === since
      );
    }),
  );
});

describe('many failures', () => {
  const under = underTest({
    WEBHOOKS_BROKEN_FAILURES: '6',
    WEBHOOKS_BROKEN_MIN_AGE: '300ms',
    WEBHOOKS_RETRY_WAITS: '150ms,150ms,150ms,10m,10m',
  });

  test('make it BROKEN: pending ends, nothing is queued, verify brings it back', async () => {
    const organizationId = anOrganization();
    const { id, receiver } = await under.endpoint({ organizationId, answer: 500 });
    const { webhooks } = under.replica;
    const show = async () => (await webhooks.getEndpoint({ id, organizationId })).endpoint!;
    await under.stores.publish([...eventsOf(organizationId, 1), ...eventsOf(organizationId, 1)]);
    await until(async () => (await show()).status === 'BROKEN', { what: 'BROKEN' });
    const broken = await show();
    expect(broken.consecutiveFailures).toBeGreaterThanOrEqual(6);
    expect(broken.lastFailureAt).not.toBe('');
    const ended = await deliveriesOf(under.replica, id, 'EXHAUSTED', 2);
    expect(ended.map((delivery) => delivery.reason)).toEqual(['broken', 'broken']);

    const posts = receiver.received.length;
    const witness = await under.endpoint({ organizationId });
    await under.stores.publish(eventsOf(organizationId, 1));
    await until(() => witness.receiver.received.length === 1, { what: 'the witness' });
    receiver.echoes = false;
    const failed = await webhooks.verifyEndpoint({ id, organizationId });
    expect(failed).toMatchObject({ verified: false, endpoint: { status: 'BROKEN' } });
    receiver.echoes = true;
    receiver.answer = 204;
    const passed = await webhooks.verifyEndpoint({ id, organizationId });
    expect(passed).toMatchObject({
      verified: true,
      endpoint: { status: 'ENABLED', consecutiveFailures: 0 },
    });
    await under.stores.publish(eventsOf(organizationId, 1, { type: 'order.escalated' }));
    await deliveriesOf(under.replica, id, 'DELIVERED');
    expect(receiver.received.slice(posts).map((post) => post.event)).toEqual(['order.escalated']);
  });

  describe('found by the periodic work', () => {
    const causes = {
      'many failures': "consecutive_failures = 6, failing_since = now() - interval '1 h'",
      silence: `exhausted = 1, created_at = now() - interval '80 h',
        verified_at = now() - interval '80 h'`,
    };
    const statusOf = async ({ id, organizationId }: { id: string; organizationId: string }) =>
      (await under.replica.webhooks.getEndpoint({ id, organizationId })).endpoint!.status;
    const failing = async (cause: keyof typeof causes, disabled = false) => {
      const endpoint = await under.endpoint();
      const { id, organizationId } = endpoint;
      await under.replica.webhooks.updateEndpoint({ id, organizationId, disabled });
      await under.stores.superuser.query(`update endpoints set ${causes[cause]} where id = $1`, [
        id,
      ]);
      return endpoint;
    };
    const isBrokenSoon = async (cause: keyof typeof causes) => {
      const control = await failing(cause);
      await until(async () => (await statusOf(control)) === 'BROKEN', {
        what: `BROKEN by ${cause}`,
        deadlineMs: 20_000,
      });
    };

    test.each(Object.keys(causes) as (keyof typeof causes)[])(
      '%s: BROKEN although no attempt is due, but neither in a pause nor because of it',
      async (cause) => {
        const paused = await failing(cause, true);
        await isBrokenSoon(cause);
        expect(await statusOf(paused)).toBe('ENABLED');
        const { id, organizationId } = paused;
        const { endpoint } = await under.replica.webhooks.updateEndpoint({
          ...{ id, organizationId, disabled: false },
        });
        expect(endpoint).toMatchObject({ status: 'ENABLED', disabled: false });
        const ofPaused = (set: string) =>
          under.stores.superuser.query(`update endpoints set ${set} where id = $1`, [id]);
        const [counts] = await under.stores.superuser.query(
          'select exhausted, failing_since from endpoints where id = $1',
          [id],
        );
        expect(counts).toEqual({ exhausted: 0, failing_since: null });
        if (cause === 'silence') await ofPaused('exhausted = 1'); // since the pause
        await isBrokenSoon(cause);
        expect(await statusOf(paused)).toBe('ENABLED');
        // the pause is over: the same failures count again
        await under.stores.superuser.query(
          `update endpoints set resumed_at = now() - interval '80 h', ${causes[cause]} where id = $1`,
          [id],
        );
        await until(async () => (await statusOf(paused)) === 'BROKEN', {
          what: 'BROKEN after the pause',
          deadlineMs: 20_000,
        });
      },
      60_000,
    );
  });

  test('with a success in between do not', async () => {
    const { id, organizationId, receiver } = await under.endpoint();
    receiver.answer = (_, response) =>
      response.writeHead(receiver.received.length % 5 === 0 ? 204 : 500).end();
    await under.stores.publish(eventsOf(organizationId, 1));
    await under.stores.publish(eventsOf(organizationId, 1));
    await deliveriesOf(under.replica, id, 'DELIVERED');
    const { endpoint } = await under.replica.webhooks.getEndpoint({ id, organizationId });
    expect(endpoint).toMatchObject({ status: 'ENABLED' });
    expect(endpoint!.consecutiveFailures).toBeLessThan(6);
  });

  test('an ENABLED endpoint that fails a verification stays ENABLED', async () => {
    const { id, organizationId, receiver } = await under.endpoint();
    receiver.echoes = false;
    expect(await under.replica.webhooks.verifyEndpoint({ id, organizationId })).toMatchObject({
      verified: false,
      endpoint: { status: 'ENABLED' },
    });
  });
});

describe('a long silence', () => {
  const under = underTest({
    WEBHOOKS_BROKEN_SILENCE: '1500ms',
    WEBHOOKS_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms',
  });

  test('with a delivery given up makes it BROKEN, though nothing more is sent', async () => {
    const { id, organizationId } = await under.endpoint({ answer: 500 });
    const calm = await under.endpoint();
    await under.stores.publish(eventsOf(organizationId, 1));
    await deliveriesOf(under.replica, id, 'EXHAUSTED');
    const show = (which: { id: string; organizationId: string }) =>
      under.replica.webhooks.getEndpoint({ id: which.id, organizationId: which.organizationId });
    await until(async () => (await show({ id, organizationId })).endpoint?.status === 'BROKEN', {
      what: 'BROKEN by silence',
    });
    expect((await show(calm)).endpoint?.status).toBe('ENABLED');
  });
});
