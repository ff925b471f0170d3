import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { startReceiver } from '../receiver.ts';
import { underTest } from '../under-test.ts';
import { anOrganization, eventsOf, startReplica } from '../webhooks-service.ts';

const under = underTest();

test('handshake, test request and delivery pass a receiver that requires a certificate', async () => {
  const { authority, stores, replica: without } = under;
  const { caFile, certFile, keyFile } = authority;
  const receiver = await startReceiver(authority, { clientCa: readFileSync(caFile, 'utf8') });
  const withCertificate = await startReplica(stores, {
    WEBHOOKS_CA_FILE: caFile,
    WEBHOOKS_CLIENT_CERT_FILE: certFile,
    WEBHOOKS_CLIENT_KEY_FILE: keyFile,
  });
  const organizationId = anOrganization();
  const request = { organizationId, url: receiver.url };
  const rejected = await without.webhooks.createEndpoint(request);
  expect(rejected.endpoint).toMatchObject({ status: 'PENDING_VERIFICATION' });
  expect(receiver.asked).toEqual([]);
  expect(await without.webhooks.getConnectivity({})).toMatchObject({
    retryWaitSeconds: [60, 300, 1800, 14_400, 69_840],
    clientCertificate: '',
    tlsVersions: ['TLSv1.2', 'TLSv1.3'],
    onlyPort443: false,
  });
  await without.stop(); // it would send deliveries, too

  const { endpoint } = await withCertificate.webhooks.createEndpoint(request);
  expect(endpoint).toMatchObject({ status: 'ENABLED' });
  const { id } = endpoint!;
  expect(await withCertificate.webhooks.testEndpoint({ id, organizationId })).toMatchObject({
    delivered: true,
  });
  await stores.publish(eventsOf(organizationId, 1));
  await until(() => receiver.received.some(({ event }) => event === 'order.submitted'), {
    what: 'the delivery',
  });
  const told = await withCertificate.webhooks.getConnectivity({});
  expect(told.clientCertificate).toBe(readFileSync(certFile, 'utf8'));
  const key = readFileSync(keyFile, 'utf8').split('\n')[1]!;
  expect(withCertificate.lines.join('')).not.toContain(key);
  await withCertificate.stop();
  await receiver.close();
});
