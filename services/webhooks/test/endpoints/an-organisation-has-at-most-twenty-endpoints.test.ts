import { expect, test } from '@jest/globals';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest({}, 2);
// nobody listens there: the handshake fails at once
const url = 'https://localhost:1/hooks';

test('of forty creations at the same moment on two replicas, twenty are made', async () => {
  const organizationId = anOrganization();
  const made = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      under.replicas[n % 2]!.webhooks.createEndpoint({ organizationId, url }),
    ),
  );
  const refused = made.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(20);
  for (const failure of refused)
    expect(failure).toMatchObject({ kind: 'WEBHOOK_LIMIT_REACHED', details: { limit: 20 } });
  const { endpoints } = await under.replica.webhooks.listEndpoints({ organizationId });
  expect(endpoints).toHaveLength(20);
  expect(new Set(endpoints.map(({ status }) => status))).toEqual(new Set(['PENDING_VERIFICATION']));
});

test('a removed one makes room, and other organizations have their own twenty', async () => {
  const organizationId = anOrganization();
  const { webhooks } = under.replica;
  const create = () => webhooks.createEndpoint({ organizationId, url });
  const [first] = await Promise.all(Array.from({ length: 20 }, create));
  await expect(create()).rejects.toMatchObject({ kind: 'WEBHOOK_LIMIT_REACHED' });
  await webhooks.createEndpoint({ organizationId: anOrganization(), url });
  await webhooks.deleteEndpoint({ organizationId, id: first!.endpoint!.id });
  await create();
});
