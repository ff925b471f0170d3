/** A command without a response is sent again, with its id. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Failure, type FailureKind } from '@pto/errors';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { implement } from '@pto/rpc';
import { type FakeGateway, startGateway } from './operator-command.ts';
import { runHere } from './output/run-here.ts';

const id = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const commandId = '0b9f6e1c-5f52-4c3b-9c1e-2f4f6a7c8d90';
const incident = ['order', 'incident', id, '--note', 'Flat tyre'];

let gateway: FakeGateway;
/** Kinds of failures that the next calls get, in their order. */
let failures: FailureKind[];
let ids: string[];
beforeAll(async () => {
  const reportIncident = async ({
    circumstances,
  }: {
    circumstances?: { commandId: string } | undefined;
  }) => {
    ids.push(circumstances!.commandId);
    const kind = failures.shift();
    if (kind) throw new Failure(kind, 'No response.');
    return { order: { id, status: 'SEALED' } };
  };
  const begun = { id, organizationId: id, phase: 'COPYING' };
  const listMoves = async () => {
    const kind = failures.shift();
    if (kind) throw new Failure(kind, 'No response.');
    return { moves: [{ ...begun, phase: 'RETIRING', switchedAt: { seconds: 1n, nanos: 0 } }] };
  };
  const moves = { moveOrganization: async () => ({ move: begun }), listMoves };
  gateway = await startGateway({
    access: [implement(MoveService, moves as never)],
    orders: [implement(OrderCommandService, { reportIncident } as never)],
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  [failures, ids] = [[], []];
});

test.each<FailureKind[]>([
  ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'],
  ['INTERNAL', 'INTERNAL'],
])('after %s and %s the same command is sent again', async (...kinds) => {
  failures = [...kinds];
  const { code } = await runHere(gateway, incident);
  expect([code, ids.length, new Set(ids).size]).toEqual([0, 3, 1]);
});

test('after three tries a note says how to repeat the command', async () => {
  failures = Array.from({ length: 9 }, () => 'SERVICE_UNAVAILABLE');
  const { code, stderr } = await runHere(gateway, incident);
  expect([code, ids.length]).toEqual([1, 3]);
  expect(stderr).toContain(`--command-id ${ids[0]}`);
});

test('a rejected command is sent once', async () => {
  failures = ['ILLEGAL_TRANSITION'];
  const { code, stderr } = await runHere(gateway, incident);
  expect([code, ids.length]).toEqual([1, 1]);
  expect(stderr).not.toContain('--command-id');
});

test('the command that waits for a move repeats a poll without a response', async () => {
  failures = ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'];
  const { code, stdout } = await runHere(gateway, ['org', 'move', id, '--to', 'north']);
  expect([code, failures]).toEqual([0, []]);
  expect(stdout).toContain('RETIRING');
});

test('and ends after a rejected poll, and says that the move goes on', async () => {
  failures = ['OPERATOR_NOT_PERMITTED'];
  const { code, stderr } = await runHere(gateway, ['org', 'move', id, '--to', 'north']);
  expect(code).toBe(1);
  expect(stderr).toContain(`The move goes on. \`org moves ${id}\` shows it.`);
});

test('two commands have two ids, unless the person gives one', async () => {
  await runHere(gateway, incident);
  await runHere(gateway, incident);
  expect(new Set(ids).size).toBe(2);
  await runHere(gateway, [...incident, '--command-id', commandId.toUpperCase()]);
  expect(ids.at(-1)).toBe(commandId);
  expect((await runHere(gateway, [...incident, '--command-id', 'twice'])).code).toBe(2);
  expect(ids).toHaveLength(3);
});
