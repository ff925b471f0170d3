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
  /** The payloads of an order's entries of a type. */
  const entriesOf = async (id: string, type: string): Promise<{ methods: string[] }[]> => {
    const { body } = await partner(stack).get(`/orders/${id}/events`);
    const found = body.filter((one: { internal_type: string }) => one.internal_type === type);
    return found.map(({ payload }: { payload: { methods: string[] } }) => payload);
  };
  const handoversOf = async (id: string) =>
    (await entriesOf(id, 'HANDOVER_RECORDED')).map(({ methods }) => methods);
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

  const onTheWay = [...before!, 'in_transit'];
  /** Of each scenario: its events, what its proof says, and its pause if that matters. */
  const scenarios: readonly (readonly [
    string,
    readonly string[],
    (readonly string[])?,
    string?,
  ])[] = [
    ['auto', life, ['Signed on devices: entry 5']],
    ['decline', ['submitted', 'assigned', 'updated', ...life.slice(1)]],
    ['driver_dropped', [...life.slice(0, 4), 'updated', ...life.slice(3)]],
    ['incident', [...onTheWay, 'incident_reported', 'delivered', 'closed']],
    ['escalation', [...onTheWay, 'escalated', 'delivered', 'closed']],
    ['late_seal', life],
    ['tampered_proof', life],
    [
      'offline_gap',
      [...onTheWay, 'updated', 'updated', 'delivered', 'closed'],
      ['Not applied, and kept as recorded: entry 8'],
    ],
    ['handover_code', [...before!, 'updated', 'in_transit', 'updated', 'delivered', 'closed']],
    [
      'revoked_device',
      [...before!, 'updated', ...after!],
      ['Signed on devices: entry 5', 'when the device was revoked: entry 6'],
      '1500ms', // a revocation is from a second before the sealing
    ],
  ];

  test.each(scenarios)(
    'the scenario %s sends its webhooks, its proof says what phones signed, and a replay starts no second run',
    async (name, events, said = [], pause = '50ms') => {
      const receiver = await startReceiver(stack);
      const endpoint = await receiver.subscribe();
      const headers = {
        'x-sandbox-courier': name,
        'x-sandbox-step': pause,
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
      if (said.length > 0) {
        const { provenProof, verdictOn } = proofsOf(stack);
        const proof = await provenProof(id, events.length);
        const { limit } = (await verdictOn(proof)) as { limit: string };
        for (const words of said) expect(limit).toContain(words);
      }
      if (name === 'handover_code') expect(await handoversOf(id)).toEqual([['code'], ['code']]);
      await partner(stack).call('DELETE', `/webhooks/${endpoint.body.id}`);
      await receiver.stop();
    },
    120_000,
  );

  test('an order that requires codes is handed over with those of the wards’ pages', async () => {
    const evidence = { pickup: ['code'], dropoff: ['code', 'pin'], return: ['code'] };
    const id = await create({ required_evidence: evidence });
    expect((await advance(id, { to: 'CLOSED' })).body.status).toBe('CLOSED');
    await until(async () => (await handoversOf(id)).length === 3, { what: 'three handovers' });
    expect(await handoversOf(id)).toEqual([['code'], ['code', 'pin'], ['code']]);
    expect(await entriesOf(id, 'EVIDENCE_WAIVED')).toEqual([]);
  });

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
