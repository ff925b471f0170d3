import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf, startReplica } from '../webhooks-service.ts';

const under = underTest();

const another = () => startReplica(under.stores, { WEBHOOKS_CA_FILE: under.authority.caFile });

test('an attempt that is answered while the process stops is recorded, and not made again', async () => {
  const stopping = under.replica;
  let answer: (() => void) | undefined;
  const { id, organizationId, receiver } = await under.endpoint({
    answer: (_, response) => {
      answer = () => response.writeHead(204).end();
    },
  });
  await under.stores.publish(eventsOf(organizationId, 1));
  await until(() => answer, { what: 'the attempt' });
  const stopped = stopping.stop();
  answer!();
  await stopped;
  const heir = await another();
  try {
    const [delivery] = await deliveriesOf(heir, id, 'DELIVERED');
    expect(delivery!.attempts).toMatchObject([{ statusCode: 204, error: '' }]);
    expect(receiver.received).toHaveLength(1);
  } finally {
    await heir.stop();
  }
});
