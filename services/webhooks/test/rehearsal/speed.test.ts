import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { passTime } from '../pass-time.ts';
import { underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest(); // the schedule of decision 38

/** Milliseconds from now until the next attempt is due, once `attempts` are recorded. */
const nextWait = async (endpointId: string, attempts: number): Promise<number> => {
  const [row] = await until(
    async () => {
      const rows = await under.stores.superuser.query<{ ms: number }>(
        `select (extract(epoch from due_at - now()) * 1000)::float8 as ms from pending_deliveries
         where endpoint_id = $1 and attempts = $2 and lease_until is null`,
        [endpointId, attempts],
      );
      return rows.length > 0 ? rows : undefined;
    },
    { what: `attempt ${attempts} to be recorded` },
  );
  return row!.ms;
};

test.each([
  ['a rehearsal', undefined],
  ['the header of the creation', 60],
])('with speed 60 by %s the schedule takes 24 minutes', async (_, rehearsalSpeed) => {
  const { webhooks } = under.replica;
  const receiver = await under.receiver(500);
  const organizationId = (await under.endpoint()).organizationId;
  const created = await webhooks.createEndpoint({
    organizationId,
    url: receiver.url,
    rehearsalSpeed,
    eventFilter: { events: ['order.submitted'] },
  });
  const endpointId = created.endpoint!.id;
  const which = { organizationId, endpointId };
  if (rehearsalSpeed === undefined)
    await webhooks.setRehearsal({ ...which, speed: 60, faults: [], forMs: 86_400_000 });
  const { rehearsal } = await webhooks.getRehearsal(which);
  expect(rehearsal).toMatchObject({ speed: 60, faults: [] });
  const left = Date.parse(rehearsal!.endsAt) - Date.now();
  expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);

  await under.stores.publish(eventsOf(organizationId, 1));
  let elapsed = 0;
  const seconds = [1, 5, 30, 240];
  for (let attempt = 1; attempt <= 5; attempt++) {
    await until(() => receiver.received.length === attempt, { what: `attempt ${attempt}` });
    const wait = await nextWait(endpointId, attempt);
    const base = seconds[attempt - 1];
    if (base !== undefined) {
      expect(wait).toBeLessThanOrEqual(base * 1100);
      // read up to 2 s after the attempt was recorded
      expect(wait).toBeGreaterThan(base * 900 - 2000);
    }
    elapsed += wait;
    await passTime(under.stores, wait);
  }
  expect(Math.abs(elapsed - 24 * 60_000)).toBeLessThan(10_000);
  await until(() => receiver.received.length === 6, { what: 'the last attempt' });
});
