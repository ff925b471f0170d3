import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { queueBacklog } from '../backlog.ts';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const password = 'pass-word-of-the-proxy';
const under = underTest({
  WEBHOOKS_EGRESS_ALLOW: '127.0.0.1',
  // nobody listens there
  WEBHOOKS_EGRESS_PROXY: `http://egress:${password}@127.0.0.9:9`,
  WEBHOOKS_BROKEN_FAILURES: '1',
  WEBHOOKS_BROKEN_MIN_AGE: '1ms',
  WEBHOOKS_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms',
});

test('six attempts of an endpoint fail at the proxy; its health does not change, and no mail is sent', async () => {
  const receiver = await under.receiver();
  const organizationId = anOrganization();
  const [id = ''] = await queueBacklog(under.stores, {
    organizationId,
    url: receiver.url,
    endpoints: 1,
    deliveriesEach: 1,
  });
  const attempts = await until(
    async () => {
      const rows = await under.stores.superuser.query<{ error: string }>(
        `select a.error from attempts a join deliveries d on d.id = a.delivery_id
         where d.endpoint_id = $1 and d.state = 'EXHAUSTED'`,
        [id],
      );
      return rows.length > 0 && rows;
    },
    { what: 'the delivery to end' },
  );
  expect(attempts.map(({ error }) => error)).toEqual(Array.from({ length: 6 }, () => 'proxy'));
  const { webhooks, lines } = under.replica;
  const { endpoint } = await webhooks.getEndpoint({ organizationId, id });
  expect(endpoint).toMatchObject({ status: 'ENABLED', consecutiveFailures: 0 });
  const tested = await webhooks.testEndpoint({ organizationId, id });
  // partners see no difference to other unreachable addresses (decision 62)
  expect(tested).toMatchObject({ delivered: false, error: 'unreachable' });
  expect(receiver.received).toEqual([]);
  const basic = Buffer.from(`egress:${password}`).toString('base64');
  for (const secret of [password, basic]) expect(lines.join('\n')).not.toContain(secret);
});
