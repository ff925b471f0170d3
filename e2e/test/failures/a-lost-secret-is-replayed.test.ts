import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type Mesh, settled, startMesh } from '../../mesh.ts';
import { type Answer, partner } from '../../partner.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

let mesh: Mesh;
let receiver: Receiver;
beforeAll(async () => {
  // a partner waits between two requests; this test does not
  mesh = await startMesh({ env: { GATEWAY_WRITES_PER_MINUTE: '10000' } });
  receiver = await startReceiver(mesh);
}, 100_000);
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

const create = (key: string): Promise<Answer> =>
  partner(mesh).post('/webhooks', { url: receiver.url }, { 'idempotency-key': key });

const kill = (name: string): void => {
  for (const service of mesh.file().services)
    if (service.name === name) process.kill(service.pid, 'SIGKILL');
};

/** The response that a partner gets who repeats the request until it has one. */
const insist = (key: string): Promise<Answer> =>
  until(
    async () => {
      const answer = await create(key).catch(() => null);
      const code = answer?.body?.error?.code;
      return answer && answer.status < 500 && code !== 'IDEMPOTENCY_IN_PROGRESS' ? answer : null;
    },
    { deadlineMs: 60_000, what: `a response to ${key}` },
  );

test.each([
  // webhooks ends the handshake and stores the response, which the partner has not received
  { victim: 'gateway', replayed: 'true' },
  // nobody stored a response: the repetition runs the handshake again
  { victim: 'webhooks', replayed: null },
])(
  'the secret of an endpoint whose $victim died during the handshake is not lost',
  async (each) => {
    const { victim, replayed } = each;
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(receiver.state, { held: promise, handshakes: 0 });
    const first = create(victim).catch(() => null);
    await until(() => receiver.state.handshakes > 0, { what: 'the handshake' });
    kill(victim);
    expect((await first)?.status ?? 503).toBe(503);
    resolve();
    const answer = await insist(victim);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, replayed]);
    expect(answer.body).toMatchObject({ status: 'ENABLED', handshake: { ok: true } });
    const again = await insist(victim);
    expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', answer.text]);
    const { body: listed } = await partner(mesh).get('/webhooks');
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([answer.body.id]);
    // the secret is the one that signs
    const { id, secret } = answer.body;
    receiver.state.secret = secret;
    const sent = await partner(mesh).post(`/webhooks/${id}/test`);
    expect(sent.body).toMatchObject({ delivered: true });
    expect(await receiver.received.at(-1)!.signed).toBe(true);
    expect((await partner(mesh).call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    await settled(mesh);
  },
  120_000,
);
