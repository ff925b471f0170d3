/** The sandbox courier on a running stack (decisions 64 and 67). */
import { expect, test } from '@jest/globals';
import { verifyProof } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { eventsOfALife } from '../../deliveries.ts';
import { signalAll } from '../../kill.ts';
import type { LocalStack } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { proofsOf } from '../proven-proof.ts';

export const sandboxCourier = (stack: LocalStack): void => {
  type Delivered = Awaited<ReturnType<typeof startReceiver>>['received'];
  /** Events of an order in a receiver's list, in the order of their numbers. */
  const eventsOf = (received: Delivered, id: string): string[] =>
    received
      .filter(({ body }) => body.data.order.id === id)
      .toSorted((a, b) => a.body.data.order.sequence - b.body.data.order.sequence)
      .map(({ event }) => event.replace('order.', ''));

  const create = async (more: object = {}): Promise<string> =>
    (await partner(stack).post('/orders', orderBody(more))).body.id;
  const advance = (id: string, body: object, key?: string) =>
    partner(stack, key).post(`/sandbox/orders/${id}/advance`, body);
  const stepsOf = async (id: string) =>
    (await partner(stack).get(`/sandbox/orders/${id}/steps`)).body;
  const runIs = (id: string, state: string) =>
    until(async () => (await stepsOf(id)).run?.state === state, {
      what: `${state} run`,
      deadlineMs: 60_000,
    });

  test('a partner moves an order, and its webhooks and history are the real ones', async () => {
    const receiver = await startReceiver(stack);
    await receiver.subscribe();
    const id = await create();
    expect(await stepsOf(id)).toEqual({
      status: 'SUBMITTED',
      next: 'ASSIGNED',
      actions: ['to', 'incident', 'escalation'],
      run: null,
    });
    const one = await advance(id, {});
    expect([one.status, one.body.status]).toEqual([200, 'ASSIGNED']);
    const closed = await advance(id, { to: 'CLOSED' });
    expect([closed.status, closed.body.status]).toEqual([200, 'CLOSED']);
    await until(() => receiver.received.length === eventsOfALife, { what: 'the webhooks' });
    for (const { signed } of receiver.received) expect(await signed).toBe(true);
    const { body } = await partner(stack).get(`/orders/${id}/events`);
    expect(body).toHaveLength(eventsOfALife);
    await receiver.stop();
  }, 60_000);

  test("another organization's order is not found", async () => {
    const id = await create();
    const { all: foreign } = stack.file().organizations[1]!.keys;
    for (const body of [{}, { to: 'SEALED' }, { script: [{ to: 'SEALED' }] }])
      expect((await advance(id, body, foreign)).status).toBe(404);
    expect((await partner(stack, foreign).get(`/sandbox/orders/${id}/steps`)).status).toBe(404);
    expect((await stepsOf(id)).status).toBe('SUBMITTED');
  });

  test('a script at the bounds is accepted, and one beyond is a 422 that names the place', async () => {
    const id = await create();
    const steps = (count: number) => Array.from({ length: count }, () => ({ decline: true }));
    expect((await advance(id, { script: [{ to: 'CLOSED', after: '24h' }] })).status).toBe(200);
    expect((await stepsOf(id)).run).toMatchObject({ plan: 'script', state: 'running', count: 1 });
    expect((await advance(id, { script: steps(50) })).status).toBe(200);
    const rejected: [object, (string | number)[]][] = [
      [{ script: steps(51) }, ['body', 'script']],
      [{ script: [] }, ['body', 'script']],
      [{ script: [{ to: 'SEALED' }], to: 'SEALED' }, ['body', 'script']],
      [{ script: [{ to: 'SEALED', after: '24h1ms' }] }, ['body', 'script', 0, 'after']],
      [{ script: [{ to: 'SEALED' }, { to: 'CANCELLED' }] }, ['body', 'script', 1, 'to']],
      [{ script: [{ to: 'SEALED', decline: true }] }, ['body', 'script', 0]],
      [{ script: [{}] }, ['body', 'script', 0]],
      [{ script: [{ incident: 'x'.repeat(2001) }] }, ['body', 'script', 0, 'incident']],
      [{ to: 'NOWHERE' }, ['body', 'to']],
    ];
    for (const [body, loc] of rejected) {
      const answer = await advance(id, body);
      expect([answer.status, answer.body.detail?.[0].loc]).toEqual([422, loc]);
    }
  });

  test('a run survives kill -9 of the courier, and takes no step twice', async () => {
    const id = await create();
    const incidents = 20;
    const script = [
      { to: 'IN_TRANSIT', after: '1s' },
      ...Array.from({ length: incidents }, (_, n) => ({ incident: `number ${n}`, after: '100ms' })),
      { to: 'CLOSED' },
    ];
    await advance(id, { script });
    await until(async () => (await stepsOf(id)).run.taken > 3, { what: 'steps before the kill' });
    signalAll(stack, 'courier', 'SIGKILL');
    await until(
      async () => {
        const answer = await partner(stack).get(`/sandbox/orders/${id}/steps`);
        return answer.status === 200 && answer.body.run.state === 'done';
      },
      { what: 'the end of the run', deadlineMs: 100_000 },
    );
    const { body } = await partner(stack).get(`/orders/${id}/events`);
    expect(body).toHaveLength(eventsOfALife + incidents);
  }, 150_000);

  test('a run of a cancelled order ends with a reason', async () => {
    const id = await create();
    await advance(id, { script: [{ to: 'SEALED', after: '1s' }] });
    await partner(stack).post(`/orders/${id}/cancel`, { reason: 'r' });
    await runIs(id, 'ended');
    expect((await stepsOf(id)).run.reason).toBe('The order is CANCELLED and cannot become SEALED.');
  }, 70_000);

  const [before, after] = [
    ['submitted', 'assigned', 'accepted', 'driver_assigned', 'pickup_started', 'sealed'],
    ['in_transit', 'delivered', 'closed'],
  ];
  const life = [...before!, ...after!];

  test.each([
    ['auto', life],
    ['decline', ['submitted', 'assigned', 'updated', ...life.slice(1)]],
    ['driver_dropped', [...life.slice(0, 4), 'updated', ...life.slice(3)]],
    ['incident', [...before!, 'in_transit', 'incident_reported', 'delivered', 'closed']],
    ['escalation', [...before!, 'in_transit', 'escalated', 'delivered', 'closed']],
    ['late_seal', life],
    ['tampered_proof', life],
    ['offline_gap', [...before!, 'in_transit', 'updated', 'updated', 'delivered', 'closed']],
    ['revoked_device', [...before!, 'updated', ...after!]],
  ])(
    'the scenario %s sends its webhooks, and a replay starts no second run',
    async (name, events) => {
      const receiver = await startReceiver(stack);
      const endpoint = await receiver.subscribe();
      const headers = {
        'x-sandbox-courier': name,
        'x-sandbox-step': '50ms',
        'idempotency-key': `scenario-${name}`,
      };
      const [first, replay] = [
        await partner(stack).post('/orders', orderBody(), headers),
        await partner(stack).post('/orders', orderBody(), headers),
      ];
      expect([first.status, replay.text]).toEqual([201, first.text]);
      const { id } = first.body;
      await runIs(id, 'done');
      const third = await partner(stack).post('/orders', orderBody(), headers);
      expect(third.headers.get('idempotency-replayed')).toBe('true');
      await until(() => eventsOf(receiver.received, id).length === events.length, {
        what: 'the webhooks',
      });
      expect(eventsOf(receiver.received, id)).toEqual(events);
      expect((await stepsOf(id)).run).toMatchObject({ plan: name, state: 'done' });
      await partner(stack).call('DELETE', `/webhooks/${endpoint.body.id}`);
      await receiver.stop();
    },
    120_000,
  );

  test.each([
    ['auto', 9, 'Signed on devices: entry 5', ''],
    ['offline_gap', 11, 'Not applied, and kept as recorded: entry 8', ''],
    ['revoked_device', 10, 'Signed on devices: entry 5', 'when the device was revoked: entry 6'],
  ])(
    'the proof of the scenario %s says what phones signed',
    async (name, entries, ...said) => {
      const { provenProof, verdictOn } = proofsOf(stack);
      // a revocation is from a second before the sealing
      const pause = name === 'revoked_device' ? '1500ms' : '300ms';
      const headers = { 'x-sandbox-courier': name, 'x-sandbox-step': pause };
      const { id } = (await partner(stack).post('/orders', orderBody(), headers)).body;
      await runIs(id, 'done');
      const { limit } = (await verdictOn(await provenProof(id, entries))) as { limit: string };
      for (const words of said) expect(limit).toContain(words);
    },
    120_000,
  );

  test('an external_id asks for a scenario, and its proof file is invalid', async () => {
    const proofOf = async (id: string) =>
      (await partner(stack).get(`/orders/${id}/custody/proof`)).text;
    const [tampered, genuine] = [
      await create({ external_id: 'sandbox-tampered_proof-1' }),
      await create({ external_id: 'sandbox-auto-1' }),
    ];
    expect((await verifyProof(await proofOf(tampered))).verdict).toBe('invalid');
    expect((await verifyProof(await proofOf(genuine))).verdict).toBe('consistent');
    // nothing that is stored was changed: another run, and the file is genuine
    await advance(tampered, { script: [{ to: 'SUBMITTED' }] });
    expect((await verifyProof(await proofOf(tampered))).verdict).toBe('consistent');
  });
};
