import { expect, test } from '@jest/globals';
import { ConnectionFailedError, NotSentError } from '../src/index.ts';
import { cut, json, startServer } from './a-server.ts';

const id = '01900000-0000-7000-8000-000000000000';
const order = {
  pickup: { address_text: 'Charitéplatz 1, 10117 Berlin' },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
};
const ok = json(200, { id });

test('an advance to a status is repeated after a lost response', async () => {
  await using server = await startServer(cut, ok);
  await server.client().sandbox.advance(id, { to: 'SEALED' });
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual(
    Array(2).fill(['POST', `/api/partner/v1/sandbox/orders/${id}/advance`, '{"to":"SEALED"}']),
  );
});

test('one step and a script, which could be executed twice, are sent once', async () => {
  await using server = await startServer(cut);
  const { sandbox } = server.client();
  await expect(sandbox.advance(id)).rejects.toThrow(ConnectionFailedError);
  const script = [{ to: 'SEALED', after: '5s' }, { incident: 'The box was dropped.' }] as const;
  await expect(sandbox.runScript(id, script)).rejects.toThrow(ConnectionFailedError);
  expect(server.seen.map(({ body }) => JSON.parse(body))).toEqual([{}, { script }]);
});

test('the possible steps are read', async () => {
  const steps = { status: 'SUBMITTED', next: 'ASSIGNED', actions: ['to'], run: null };
  await using server = await startServer(json(200, steps));
  expect(await server.client().sandbox.steps(id)).toEqual(steps);
  expect(server.seen[0]).toMatchObject({ url: `/api/partner/v1/sandbox/orders/${id}/steps` });
});

test('an order is created with the headers of the sandbox, in every attempt, and without them', async () => {
  await using server = await startServer(cut, json(201, { id }));
  const { orders } = server.client();
  await orders.create(order, { sandboxCourier: 'decline', sandboxStep: '1s' });
  await orders.create(order);
  const sent = server.seen.map(({ headers }) => [
    headers['x-sandbox-courier'],
    headers['x-sandbox-step'],
  ]);
  expect(sent).toEqual([
    ['decline', '1s'],
    ['decline', '1s'],
    [undefined, undefined],
  ]);
});

test.each(['', '1 s', '1s\r\nx: y', 'ä'])('no request is sent with the step %j', async (step) => {
  await using server = await startServer(ok);
  const { orders } = server.client();
  await expect(orders.create(order, { sandboxStep: step })).rejects.toThrow(NotSentError);
  expect(server.seen).toEqual([]);
});
