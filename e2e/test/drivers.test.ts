/** A driver's phone on a running stack: from the link of the office to a proof that a stranger verifies. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deviceOpening } from '@pto/custody-verifier';
import { DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { operatorClient } from '@pto/rpc';
import { aPhone, type PhoneStep, until } from '@pto/testing';
import { openClients } from '../../operator/src/clients.ts';
import { operator } from '../operator.ts';
import { orderBody, partner } from '../partner.ts';
import { proofsOf } from './proven-proof.ts';
import { sharedStack } from './test-stack.ts';

const stack = sharedStack();
const run = async (...words: readonly string[]) => {
  const { code, json, stderr } = await operator(stack, ...words);
  expect([words, code, stderr]).toEqual([words, 0, '']);
  return json as Record<string, string>;
};

test('a phone records a transport, loses its driver, and each verifier says what it signed', async () => {
  const { provenProof, verdictOn } = proofsOf(stack);
  const { post, get } = partner(stack);
  const name = `Couriers ${randomUUID().slice(0, 8)}`;
  const carrier = await run('carrier', 'add', '--name', name);
  const kim = await run('driver', 'add', '--carrier', name, '--name', `Kim ${randomUUID()}`);
  const { id: orderId } = (await post('/orders', orderBody())).body;
  await run('order', 'assign', orderId, '--carrier', carrier.id!);
  await run('order', 'accept', orderId);
  await run('order', 'driver', orderId, '--driver', kim.id!);

  const { url } = await run('driver', 'link', kim.id!);
  const code = url!.split('#')[1]!;
  const phone = await aPhone();
  const env = stack.file().operator.env;
  const sessions = operatorClient(DriverSessionService, {
    url: `${env.OPERATOR_URL}/operators`,
    caFile: env.OPERATOR_CA_FILE!,
    credential: async () => undefined,
  });
  const signature = await phone.sign(deviceOpening(code));
  const { secret } = await sessions.openDriverSession({ code, key: phone.key, signature });
  const { orders } = openClients({ ...env, OPERATOR_TOKEN: secret });

  const driver = { driverId: kim.id!, carrierId: carrier.id! };
  const record = async (internalType: string, payload = {}, more: Partial<PhoneStep> = {}) => ({
    circumstances: await phone.record(driver, { orderId, internalType, payload, ...more }),
  });
  expect((await orders.listOpenOrders({})).orders.map(({ id }) => id)).toEqual([orderId]);
  const seen = await until(
    async () => {
      const { head } = await orders.showOrder({ orderId });
      return head!.entry === 4 && head;
    },
    { what: 'the head of the four entries' },
  );
  await orders.recordArrival({
    ...(await record(
      'DRIVER_ARRIVED',
      { stop: 'pickup' },
      { seen: { entry: 4, hash: seen.hash } },
    )),
    stop: 'pickup',
  });
  await orders.startPickup(await record('PICKUP_STARTED'));
  const sealIds = ['S-1'];
  await orders.sealOrder({ ...(await record('SEAL_APPLIED', { seal_ids: sealIds })), sealIds });
  const note = 'Canary saw a tyre';
  await orders.reportIncident({ ...(await record('INCIDENT_REPORTED', { note })), note });
  const { device } = await until(
    async () => (await get(`/orders/${orderId}/events`)).body[4]?.payload,
    { what: 'the entry of the arrival' },
  );
  expect(device).toMatchObject({ key: phone.key, driver_id: kim.id, seen: { entry: 4 } });

  const [{ id: deviceId }] = (await run('driver', 'devices', kim.id!)) as unknown as [
    { id: string },
  ];
  const from = new Date().toISOString();
  await orders.startTransport(await record('TRANSPORT_STARTED'));
  await run('driver', 'revoke', deviceId, '--from', from);
  const after = await record('CUSTODY_TRANSFERRED');
  // a connection that ends while the call is sent is repeated
  const failure = await until(
    () =>
      orders.deliverOrder(after).then(
        () => ({ kind: 'none' }),
        (rejected) => !rejected.retryable && rejected,
      ),
    { what: 'the answer after the revocation' },
  );
  expect(failure).toMatchObject({ kind: 'OPERATOR_NOT_AUTHENTICATED' });
  const proof = await provenProof(orderId, 10);
  const said = (await verdictOn(proof)) as { limit: string };
  expect(said.limit).toContain('Signed on devices: entry 5');
  expect(said.limit).toContain(`Recorded when the device was revoked: entry 9 (from ${from} on).`);
});
