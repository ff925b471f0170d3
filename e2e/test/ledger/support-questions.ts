/** What a partner asks the operator's support: where is my order, was the hospital told? */
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { signalAll } from '../../kill.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';

export const supportQuestions = (stack: LocalStack): void => {
  const run = async (...words: readonly string[]) => {
    const { code, json, stderr } = await operator(stack, ...words);
    expect([code, stderr]).toEqual([0, '']);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
    return json as any;
  };

  test('an order is found by its reference, and its timeline shows each attempt', async () => {
    const receiver = await startReceiver(stack);
    try {
      const { body: endpoint } = await receiver.subscribe();
      const reference = 'PO-2026 / 0815';
      receiver.state.status = 503;
      const { post } = partner(stack);
      const { id } = (await post('/orders', orderBody({ external_id: reference }))).body;
      await until(() => receiver.received.length === 1, { what: 'the first attempt' });
      receiver.state.status = 204;
      await until(() => receiver.received.length === 2, { what: 'the second attempt' });
      expect(await run('order', 'find', reference)).toMatchObject([{ id, status: 'SUBMITTED' }]);
      expect((await run('order', 'assign', reference, '--to', 'Blutkurier')).id).toBe(id);
      await until(() => receiver.received.length === 3, { what: 'the second event' });

      const moments = () => run('order', 'timeline', reference);
      const delivery = receiver.received[0]!.delivery;
      const timeline = await until(
        async () => {
          const all = await moments();
          return all.filter(({ what }: { what: string }) => what === 'attempt').length === 3
            ? all
            : undefined;
        },
        { what: 'the third attempt in the timeline' },
      );
      const lines = timeline.map((one: Record<string, string>) => [one.what, one.event]);
      expect(lines.slice(0, 4)).toEqual([
        ['entry', 'order.submitted'],
        ['queued', 'order.submitted'],
        ['attempt', 'order.submitted'],
        ['attempt', 'order.submitted'],
      ]);
      expect(timeline[2]).toMatchObject({ id: delivery, detail: expect.stringMatching(/^503, /) });
      expect(timeline[3]).toMatchObject({ id: delivery, detail: expect.stringMatching(/^204, /) });
      expect(lines.slice(4).sort()).toEqual([
        ['attempt', 'order.assigned'],
        ['entry', 'order.assigned'],
        ['queued', 'order.assigned'],
      ]);
      expect(await run('delivery', 'body', delivery)).toBe(receiver.received[0]!.bytes);
      expect(await run('delivery', 'list', '--endpoint', endpoint.id, '--limit', '1')).toHaveLength(
        1,
      );

      // the same reference of another organization
      const other = partner(stack, stack.file().organizations[1]!.keys.all);
      const second = (await other.post('/orders', orderBody({ external_id: reference }))).body.id;
      expect(
        (await run('order', 'find', reference)).map((one: { id: string }) => one.id).sort(),
      ).toEqual([id, second].sort());
      const unclear = await operator(stack, 'order', 'show', reference);
      expect([unclear.code, unclear.stderr]).toEqual([2, expect.stringContaining(second)]);
      const none = await operator(stack, 'order', 'show', 'PO-0');
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('NOT_FOUND')]);
    } finally {
      await receiver.stop();
    }
  });

  test('an endpoint is tested, verified, disabled, enabled and sent what it missed', async () => {
    const receiver = await startReceiver(stack);
    try {
      const { body: endpoint } = await receiver.subscribe();
      expect(await run('endpoint', 'test', endpoint.id)).toMatchObject({ delivered: true });
      receiver.state.status = 500;
      const failed = await operator(stack, 'endpoint', 'test', endpoint.id);
      expect([failed.code, failed.json]).toEqual([
        1,
        { id: endpoint.id, delivered: false, status_code: 500, error: null },
      ]);
      receiver.state.status = 204;
      const handshakes = receiver.state.handshakes;
      expect(await run('endpoint', 'verify', endpoint.id)).toMatchObject({ verified: true });
      expect(receiver.state.handshakes).toBe(handshakes + 1);

      expect(await run('endpoint', 'disable', endpoint.id)).toMatchObject({ disabled: true });
      receiver.received.length = 0;
      const { id } = (await partner(stack).post('/orders', orderBody())).body;
      await until(async () => (await run('order', 'timeline', id)).length > 0, {
        what: 'its entry',
      });
      expect(await run('endpoint', 'enable', endpoint.id)).toMatchObject({ disabled: false });
      const recovered = await until(
        async () => {
          const result = await run('endpoint', 'recover', endpoint.id, '--since', '1h');
          return result.queued > 0 ? result : undefined;
        },
        { what: 'the missed event' },
      );
      expect(recovered).toMatchObject({ endpoint_id: endpoint.id, queued: 1 });
      await until(() => receiver.received.some(({ body }) => body.data.order.id === id), {
        what: 'the missed event at the receiver',
      });
    } finally {
      await receiver.stop();
    }
  });

  test('the status names what each service measures, and a service that does not respond', async () => {
    const rows = async () => {
      const { code, json } = await operator(stack, 'status');
      return {
        code,
        rows: json as unknown as {
          service: string;
          measurement: string;
          value: unknown;
          attention: boolean;
        }[],
      };
    };
    const well = await until(
      async () => {
        const status = await rows();
        return status.code === 0 ? status : undefined;
      },
      { what: 'a status without attention' },
    );
    const measured = new Set(
      well.rows.map(({ service, measurement }) => `${service} ${measurement}`),
    );
    for (const one of [
      'orders outbox_oldest_unsent_seconds',
      'orders custody_violations_open',
      'orders custody_last_audit_seconds',
      'orders custody_last_audit_violations',
      'custody custody_log_anchor_age_seconds',
      'custody custody_log_checkpoint_age_seconds',
      'custody bus_consumer_lag',
      'webhooks webhook_oldest_due_seconds',
    ])
      expect(measured).toContain(one);
    signalAll(stack, 'webhooks', 'SIGSTOP');
    try {
      const { code, rows: ill } = await rows();
      expect(code).toBe(1);
      expect(ill.filter(({ attention }) => attention)).toMatchObject([
        { service: 'webhooks', measurement: 'available', value: 'no' },
      ]);
    } finally {
      signalAll(stack, 'webhooks', 'SIGCONT');
    }
  });
};
