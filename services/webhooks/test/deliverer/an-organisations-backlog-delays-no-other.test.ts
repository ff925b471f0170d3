import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { queueBacklog } from '../backlog.ts';
import { pendingCount, underTest } from '../under-test.ts';
import { anOrganization, eventsOf } from '../webhooks-service.ts';

const attemptTimeoutMs = 60_000;
const placesOfAnOrganization = 64;
const under = underTest({ WEBHOOKS_ATTEMPT_TIMEOUT: `${attemptTimeoutMs}ms` });

test('1,000 endpoints of one organization hang with a backlog, and another gets its one event', async () => {
  const hanging = await under.receiver(() => {});
  await queueBacklog(under.stores, {
    organizationId: anOrganization(),
    url: hanging.url,
    endpoints: 1000,
    deliveriesEach: 10,
  });
  await until(() => hanging.received.length >= placesOfAnOrganization, {
    what: 'the backlog to have all the places that it gets',
  });
  const { organizationId, receiver } = await under.endpoint();
  const begun = Date.now();
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.length === 1, { what: 'the one event' });
  expect(Date.now() - begun).toBeLessThan(3000);
  expect(hanging.received).toHaveLength(placesOfAnOrganization);
  expect(await pendingCount(under.stores)).toBeGreaterThanOrEqual(10_000);
}, 60_000);
