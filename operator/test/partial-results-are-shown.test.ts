import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';

const letter = { id: '7', topic: 'orders.order-events.v1', reason: 'of a shape nobody knows' };
const fault = { orderId: '01900000-0000-7000-8000-000000000001', entryId: '', reason: 'a gap' };

/** Only custody is behind it; orders and webhooks are unavailable. */
let gateway: FakeGateway;
beforeAll(async () => {
  const letters = {
    listDeadLetters: async () => ({ deadLetters: [letter], nextId: '' }),
    replayDeadLetter: async ({ id }: { id: string }) => {
      if (id !== letter.id) throw new Failure('NOT_FOUND', 'No such letter.');
      return { replayedIds: [id] };
    },
    discardDeadLetter: async ({ id, reason }: { id: string; reason: string }) => {
      if (id !== letter.id || reason !== 'A copy.') throw new Failure('NOT_FOUND', 'None.');
      return { nextId: '9' };
    },
  } as unknown as Handlers<typeof DeadLetterService>;
  const ledger = {
    verifyChains: async () => ({ orders: 1, entries: 3n, faults: [fault], nextOrderId: '' }),
    verifyLog: async () => {
      throw new Failure('SERVICE_UNAVAILABLE', 'The anchor does not answer.');
    },
  } as unknown as Handlers<typeof LedgerService>;
  gateway = await startGateway({
    custody: [implement(DeadLetterService, letters), implement(LedgerService, ledger)],
  });
});
afterAll(() => gateway.stop());

const run = (...words: string[]) => runCommand(gateway, [...words, '--json']);

test('dead letters of a service that answers are listed, and who does not answer is named', async () => {
  const { code, stdout, stderr } = await run('dlq', 'list');
  expect(JSON.parse(stdout)).toMatchObject([{ ...letter, service: 'custody' }]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('orders is unavailable')]);
});

test('a dead letter of a service that answers is replayed', async () => {
  const { code, stdout } = await run('dlq', 'replay', letter.id);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { replayed: [letter.id] }]);
});

test('a dead letter of a service that answers is discarded with a reason', async () => {
  const { code, stdout } = await run('dlq', 'discard', letter.id, '--reason', 'A copy.');
  expect([code, JSON.parse(stdout)]).toEqual([0, { discarded: letter.id, next: '9' }]);
  expect(await run('dlq', 'discard', letter.id)).toMatchObject({ code: 2 });
});

test('a letter that nobody who answers knows may be of one who does not', async () => {
  const { code, stderr } = await run('dlq', 'replay', '8');
  expect([code, stderr]).toEqual([1, expect.stringContaining('orders is unavailable')]);
});

test('what a walk over the ledger has found is printed, though the walk breaks off', async () => {
  const { code, stdout, stderr } = await run('ledger', 'verify');
  expect(JSON.parse(stdout)).toMatchObject({ valid: false, faults: [{ reason: fault.reason }] });
  expect([code, stderr]).toEqual([1, expect.stringContaining('The anchor does not answer.')]);
});
