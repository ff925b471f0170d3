import { expect, test } from '@jest/globals';
import { testDatabase } from '@pto/testing';
import { anOrderId, anOrganization, eventsOf, startCustodyService } from '../custody-service.ts';

test('histories and proofs may be read by a replica, and are complete without it', async () => {
  const database = await testDatabase('custody');
  // a server that is no replica: each read that a replica might serve is counted as late
  const under = await startCustodyService({ DATABASE_REPLICA_URL: database.serviceUrl }, database);
  try {
    const [orderId, organizationId] = [anOrderId(), anOrganization()];
    await under.publish(eventsOf(orderId, organizationId, 2));
    const order = { orderId, organizationId, atLeastSequence: 2 };
    expect((await under.custody.listEvents(order)).entries).toHaveLength(2);
    expect((await under.custody.getProof({ ...order, whole: true })).count).toBe(2);
    expect((await under.custody.getProof({ ...order, whole: false })).count).toBe(2);
    const metric = under.telemetry.metrics.getSingleMetric('database_fresh_reads_total')!;
    expect((await metric.get()).values).toMatchObject([{ labels: { server: 'behind' }, value: 3 }]);
  } finally {
    await under.stop();
  }
});
