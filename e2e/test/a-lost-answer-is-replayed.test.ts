import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type Mesh, settled, startMesh } from '../mesh.ts';
import { type Answer, orderBody, partner } from '../partner.ts';

const atOnce = 40;
/** Answers that were lost after their order was committed: so many must have been seen. */
const lostMin = Number(process.env.LOST_MIN ?? 2);
const roundsMax = 30 * lostMin;

let mesh: Mesh;
beforeAll(async () => {
  const plenty = {
    GATEWAY_READS_PER_MINUTE: '100000',
    GATEWAY_WRITES_PER_MINUTE: '100000',
    GATEWAY_REQUESTS_IN_FLIGHT: '1000',
  };
  mesh = await startMesh({ env: plenty });
}, 100_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

const create = (key: string): Promise<Answer> =>
  partner(mesh).post('/orders', orderBody({ external_id: key }), { 'idempotency-key': key });

const kill = (name: string): void => {
  for (const service of mesh.file().services)
    if (service.name === name) process.kill(service.pid, 'SIGKILL');
};

/** The answer that a partner gets who asks until he has one. */
const insist = (key: string): Promise<Answer> =>
  until(
    async () => {
      const answer = await create(key);
      return answer.status < 500 && answer.body?.error?.code !== 'IDEMPOTENCY_IN_PROGRESS'
        ? answer
        : null;
    },
    { deadlineMs: 60_000, what: `an answer for ${key}` },
  );

test.each(['gateway', 'orders'])(
  'an order whose answer died with the %s is answered by the same key, and made once',
  async (victim) => {
    let lost = 0;
    for (let round = 0; lost < lostMin && round < roundsMax; round++) {
      const keys = Array.from({ length: atOnce }, (_, n) => `${victim}-${round}-${n}`);
      let left = Math.ceil(Math.random() * 8);
      const first = keys.map((key) =>
        create(key)
          .catch(() => null)
          .finally(() => {
            if (--left === 0) kill(victim); // in the middle of the others
          }),
      );
      const answered = await Promise.all(first);
      const insisted = await Promise.all(keys.map(insist));
      for (const [n, answer] of insisted.entries()) {
        const before = answered[n]?.status === 201 ? answered[n] : null;
        const replayed = answer.headers.get('idempotency-replayed') === 'true';
        expect({ key: keys[n], status: answer.status }).toEqual({ key: keys[n], status: 201 });
        if (before) expect([replayed, answer.text]).toEqual([true, before.text]);
        else if (replayed) lost++;
      }
      const listed = await Promise.all(
        keys.map((key) => partner(mesh).get(`/orders?external_id=${key}`)),
      );
      expect(listed.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(
        insisted.map(({ body }) => [body.id]),
      );
      await settled(mesh);
    }
    expect(lost).toBeGreaterThanOrEqual(lostMin);
  },
  240_000,
);
