import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { queueBacklog } from '../backlog.ts';
import { pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const attemptTimeoutMs = 60_000;
const slotsOfAnEndpoint = 10;
const slotsOfAnOrganization = 64;
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
    deadlineMs: attemptTimeoutMs / 2,
  });
  // all of it before the first attempt at the hanging ones was over
  expect(Date.now() - begun).toBeLessThan(attemptTimeoutMs / 2);
  expect(hanging.receiver.received).toHaveLength(slotsOfAnEndpoint);
  expect(dripping.receiver.received).toHaveLength(slotsOfAnEndpoint);
  expect(new Set(well.receiver.received.map((post) => post.id)).size).toBe(count);
});

test('1,000 endpoints of one organization hang with a backlog, and another gets its one event', async () => {
  const hanging = await under.receiver(() => {});
  await queueBacklog(under.stores, {
    organizationId: anOrganization(),
    url: hanging.url,
    endpoints: 1000,
    deliveriesEach: 10,
  });
  await until(() => hanging.received.length >= slotsOfAnOrganization, {
    what: 'the backlog to occupy its slots',
  });
  const { organizationId, receiver } = await under.endpoint();
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length === 1, { what: 'the one event' });
  // no attempt at the hanging ones was over
  expect(hanging.received).toHaveLength(slotsOfAnOrganization);
  expect(await pendingCount(under.stores)).toBeGreaterThanOrEqual(10_000);
}, 60_000);
