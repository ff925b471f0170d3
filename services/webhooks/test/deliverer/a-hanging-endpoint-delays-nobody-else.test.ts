import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const attemptTimeoutMs = 8000;
const under = underTest({ WEBHOOKS_ATTEMPT_TIMEOUT: `${attemptTimeoutMs}ms` });

test('while one endpoint hangs, and drips, the others get everything at once', async () => {
  const organizationId = anOrganization();
  const well = await under.endpoint({ organizationId });
  const hanging = await under.endpoint({ organizationId, answer: () => {} });
  const dripping = await under.endpoint({
    organizationId,
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(timer));
    },
  });
  const count = 300;
  const begun = Date.now();
  await under.stores.publish(
    Array.from({ length: count }, () => eventsOf(organizationId, 1)).flat(),
  );
  await until(() => well.receiver.received.length >= count, {
    what: 'everything at the endpoint that is well',
    deadlineMs: attemptTimeoutMs - 1000,
  });
  // all of it before the first attempt at the hanging ones was over, which hold 10 places each
  expect(Date.now() - begun).toBeLessThan(attemptTimeoutMs - 1000);
  expect(hanging.receiver.received).toHaveLength(10);
  expect(dripping.receiver.received).toHaveLength(10);
  expect(new Set(well.receiver.received.map((post) => post.id)).size).toBe(count);
});
