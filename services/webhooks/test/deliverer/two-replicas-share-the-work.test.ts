import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const under = underTest({}, 2);

test('each delivery is posted once, whichever replica has it', async () => {
  const organizationId = anOrganization();
  const inHand = new Set<string>();
  const together: string[] = [];
  const endpoints = await Promise.all(
    Array.from({ length: 4 }, () =>
      under.endpoint({
        organizationId,
        answer: (_, response, { id }) => {
          if (inHand.has(id)) together.push(id);
          inHand.add(id);
          setTimeout(() => {
            inHand.delete(id);
            response.writeHead(204).end();
          }, Math.random() * 20);
        },
      }),
    ),
  );
  const count = 200;
  for (let n = 0; n < count; n += 20)
    await under.stores.publish(
      Array.from({ length: 20 }, () => eventsOf(organizationId, 1)).flat(),
    );
  await until(
    async () =>
      endpoints.every(({ receiver }) => receiver.received.length >= count) &&
      (await pendingCount(under.stores)) === 0,
    { what: 'all deliveries to end', deadlineMs: 30_000 },
  );
  expect(together).toEqual([]);
  for (const { receiver } of endpoints) {
    expect(receiver.received).toHaveLength(count);
    expect(new Set(receiver.received.map((post) => post.id)).size).toBe(count);
  }
  const attempts = await Promise.all(
    under.replicas.map(async ({ telemetry }) => {
      const metric = await telemetry.metrics.getSingleMetric('webhook_attempts_total')!.get();
      return metric.values.reduce((sum, { value }) => sum + value, 0);
    }),
  );
  expect(attempts.reduce((sum, n) => sum + n)).toBe(count * endpoints.length);
  for (const share of attempts) expect(share).toBeGreaterThan(0);
}, 60_000);
