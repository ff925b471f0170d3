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
  const attempts = () =>
    Promise.all(
      under.replicas.map(async ({ telemetry }) => {
        const metric = await telemetry.metrics.getSingleMetric('webhook_attempts_total')!.get();
        return metric.values.reduce((sum, { value }) => sum + value, 0);
      }),
    );
  let count = 0;
  // a replica that has just started gets its share of the events only after a while
  await until(
    async () => {
      await under.stores.publish(
        Array.from({ length: 20 }, () => eventsOf(organizationId, 1)).flat(),
      );
      count += 20;
      return count >= 200 && (await attempts()).every((share) => share > 0);
    },
    { what: 'both replicas to send' },
  );
  await until(
    async () =>
      endpoints.every(({ receiver }) => receiver.received.length >= count) &&
      (await pendingCount(under.stores)) === 0,
    { what: 'all deliveries to end' },
  );
  expect(together).toEqual([]);
  for (const { receiver } of endpoints) {
    expect(receiver.received).toHaveLength(count);
    expect(new Set(receiver.received.map((post) => post.id)).size).toBe(count);
  }
  const total = (await attempts()).reduce((sum, share) => sum + share);
  expect(total).toBe(count * endpoints.length);
}, 60_000);
