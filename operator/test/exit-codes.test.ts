import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';
import { runHere } from './output/run-here.ts';

const order = {
  id: '01900000-0000-7000-8000-000000000001',
  status: 'SUBMITTED',
  sla: 'STANDARD',
  priceTotal: '12.50',
};
const seen: unknown[] = [];

let gateway: FakeGateway;
beforeAll(async () => {
  const handlers = {
    showOrder: async () => ({ order }),
    updateOrder: async (request: unknown) => {
      seen.push(request);
      return { order };
    },
    assignOrder: async () => {
      throw new Failure('ILLEGAL_TRANSITION', 'The order is CLOSED; it cannot become ASSIGNED.', {
        details: { status: 'CLOSED', target: 'ASSIGNED' },
      });
    },
  } as unknown as Handlers<typeof OrderCommandService>;
  gateway = await startGateway({ orders: [implement(OrderCommandService, handlers)] });
});
afterAll(() => gateway.stop());

const run = (...words: string[]) => runHere(gateway, words);

test('--json prints one document and nothing else, wherever it stands', async () => {
  for (const words of [
    ['--json', 'order', 'show', order.id],
    ['order', 'show', order.id, '--json'],
  ]) {
    const { code, stdout, stderr } = await run(...words);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: order.id,
      status: 'SUBMITTED',
      price_total: 12.5,
    });
  }
});

test('without it, a table for people', async () => {
  const { stdout } = await run('order', 'show', order.id);
  expect(stdout).toMatch(/^id +01900000/);
});

test('a refusal names its code and both states, and is 1', async () => {
  const words = ['order', 'assign', order.id, '--to', 'Somebody'];
  const { code, stdout, stderr } = await runCommand(gateway, words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('ILLEGAL_TRANSITION');
  expect(stderr).toContain('CLOSED');
  expect(stderr).toContain('ASSIGNED');
});

test('numbers and payloads are passed on as they were written', async () => {
  const payload = '{"temperature":4.50,"n":1e2}';
  const words = ['--price', '12.50', '--payload', payload, '--lat', '52.5', '--lng', '-13.4'];
  expect((await run('order', 'update', order.id, ...words)).code).toBe(0);
  expect(seen.at(-1)).toMatchObject({
    priceTotal: '12.50',
    circumstances: { payloadJson: payload, position: { lat: 52.5, lng: -13.4 } },
  });
});

describe('wrong usage is 2 and says what is possible', () => {
  test.each([
    [['order', 'assign', order.id]],
    [['order', 'fly', order.id]],
    [['nonsense']],
    [['order', 'update', order.id, '--lat', '1']],
    [['order', 'update', order.id, '--lat', 'north', '--lng', '1']],
    [['order', 'update', order.id, '--payload', '[1]']],
    [['order', 'walk', order.id, '--to', 'NOWHERE']],
    [['order', 'walk', order.id, '--pause', 'long']],
    [['key', 'issue', '--org', order.id]],
    [['delivery', 'list', '--endpoint', order.id, '--state', 'LOST']],
    [['order']],
    [[]],
  ])('%j', async (words) => {
    const { code, stdout, stderr } = await run(...words);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.length).toBeGreaterThan(0);
  });
});

test('--help at every level', async () => {
  for (const words of [[], ['order'], ['order', 'seal'], ['dlq'], ['ledger', 'verify']]) {
    const { code, stdout } = await run(...words, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: operator');
  }
});
