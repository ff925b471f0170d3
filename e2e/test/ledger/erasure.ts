/** Personal data of an order's history: disclosed, proven, erased everywhere, still proven. */
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { walkOrder } from '../../load.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { proofsOf } from '../proven-proof.ts';
import { filesWith, redisKeysWith, tablesOfStackWith } from '../search-stores.ts';

export const erasure = (stack: LocalStack): void => {
  const { provenProof, verdictOn } = proofsOf(stack);

  const driver = 'Canary-Kern-4711';
  const note = 'Canary-note-4712';
  const phone = 'Canary-phone-4713';

  const run = async (...words: readonly string[]) => {
    const { code, json, stderr } = await operator(stack, ...words);
    expect([code, stderr]).toEqual([0, '']);
    return json as { erased: object[]; disclosed: object[] };
  };

  test('an erased value is nowhere in the running stack, and proofs stay proven', async () => {
    const receiver = await startReceiver(stack);
    try {
      await receiver.subscribe();
      // it repeats what the partner has read
      Object.assign(receiver.state, { status: 200, body: `for ${driver}` });
      const { get, post } = partner(stack);
      const { id } = (await post('/orders', orderBody())).body;
      await walkOrder(stack, id, 'ACCEPTED');
      await run('order', 'driver', id, '--name', driver, '--payload', JSON.stringify({ phone }));
      await run('order', 'incident', id, '--note', note, '--payload', '{"reference":"R-1"}');
      await walkOrder(stack, id);
      const before = await provenProof(id, 10);
      expect(await verdictOn(before)).toMatchObject({
        verdict: 'proven',
        headline: 'Proven: a trusted key signed the checkpoint that covers this history.',
        limit: expect.stringMatching(
          / Recomputed: driver \(entry 4\), phone \(entry 4\), note \(entry 5\)\.$/,
        ),
      });
      const shown = await run('order', 'show', id);
      expect(shown.disclosed).toEqual([
        { entry: 4, field: 'driver', value: driver },
        { entry: 4, field: 'phone', value: phone },
        { entry: 5, field: 'note', value: note },
      ]);
      for (const value of [note, phone])
        expect(await tablesOfStackWith(stack, value)).toEqual(['orders.disclosures']);
      expect(await tablesOfStackWith(stack, driver)).toEqual([
        'orders.disclosures',
        'orders.orders',
        expect.stringMatching(/^webhooks\.attempts_/),
      ]);
      await until(() => receiver.received.length >= 10, { what: 'the webhooks before' });
      receiver.state.body = '';

      const early = await operator(
        stack,
        'erase',
        '--order',
        id,
        '--field',
        'seal_ids',
        '--reason',
        'x',
      );
      expect([early.code, early.stderr]).toEqual([
        1,
        expect.stringContaining('not a personal field'),
      ]);
      const one = await run('erase', '--order', id, '--field', 'driver', '--reason', 'request 17');
      expect(one.erased).toEqual([{ entry: 4, field: 'driver' }]);
      const all = await run('erase', '--order', id, '--reason', 'request 17');
      expect(all.erased).toEqual([
        { entry: 4, field: 'phone' },
        { entry: 5, field: 'note' },
      ]);
      expect((await run('erase', '--order', id, '--reason', 'request 17')).erased).toEqual([]);

      const after = await provenProof(id, 12);
      const day = after.entries.at(-1)!.ts_utc.slice(0, 10);
      expect(await verdictOn(after)).toMatchObject({
        verdict: 'proven',
        headline: `Proven: a trusted key signed the checkpoint that covers this history; 3 fields erased on ${day}.`,
        limit: expect.stringMatching(
          /^Covers 12 entries up to .*; complete as of [^.]*\.\d+Z \(checkpoint \d+\)\.$/,
        ),
      });
      expect((await verdictOn(before)).verdict).toBe('proven');
      const events = await get(`/orders/${id}/events`);
      expect(events.body.map((entry: { disclosed: object }) => entry.disclosed)).toEqual(
        Array.from({ length: 12 }, () => ({})),
      );
      await until(() => receiver.received.length >= 12, { what: 'the webhook of the erasure' });
      expect(JSON.stringify(receiver.received.map(({ body }) => body))).not.toContain('Canary');
      expect(await operator(stack, 'ledger', 'verify')).toMatchObject({ json: { valid: true } });
      const audit = await operator(stack, 'audit', 'list', '--action', 'ErasePersonalData');
      expect(JSON.stringify(audit.json)).toContain('request 17');

      // the old row versions leave PostgreSQL's files with a vacuum (docs/operators/erasure.md)
      await asSuperuser(stack, 'orders', async (client) => {
        for (const table of ['disclosures', 'orders']) await client.query(`vacuum full ${table}`);
        await client.query('checkpoint');
      });
      await asSuperuser(stack, 'webhooks', async (client) => {
        await client.query('vacuum full attempts');
        await client.query('checkpoint');
      });
      for (const value of [driver, note, phone]) {
        expect(await tablesOfStackWith(stack, value)).toEqual([]);
        expect(await redisKeysWith(stack, value)).toEqual([]);
        expect(filesWith(stack, value)).toEqual([]);
      }
      // the search finds what is there
      expect(await tablesOfStackWith(stack, 'R-1')).toContain('custody.entries');
      expect(filesWith(stack, id).length).toBeGreaterThan(0);
    } finally {
      await receiver.stop();
    }
  }, 120_000);
};
