import { expect, test } from '@jest/globals';
import { checkLinearizable, type Invocation, type Outcome } from '../../chaos/history.ts';
import type { Action } from '../../chaos/order-model.ts';

let marks = 0;
const invocation = (
  action: Action,
  invokedAt: number,
  returnedAt: number,
  outcome: Outcome,
): Invocation => ({ action, mark: `${++marks}`, invokedAt, returnedAt, outcome });

const accepted = (status: string, sequence: number): Outcome => ({
  kind: 'accepted',
  status,
  sequence,
});
const unknown: Outcome = { kind: 'unknown' };
const created = invocation('create', 0, 1, { kind: 'accepted' });

const verdictOf = (...history: Invocation[]) => checkLinearizable(history);

test('a sequential history in which every response is right is linearizable', () => {
  expect(
    verdictOf(
      created,
      invocation('assign', 2, 3, accepted('ASSIGNED', 2)),
      invocation('accept', 4, 5, accepted('ACCEPTED', 3)),
      invocation('assign', 6, 7, { kind: 'rejected', status: 'ACCEPTED' }),
      invocation('read', 8, 9, { kind: 'accepted', status: 'ACCEPTED' }),
    ),
  ).toBe('linearizable');
});

test('two concurrent commands are linearizable in the order that their responses allow', () => {
  expect(
    verdictOf(
      created,
      invocation('assign', 2, 9, { kind: 'rejected', status: 'CANCELLED' }),
      invocation('cancel', 3, 8, { kind: 'accepted', status: 'CANCELLED' }),
    ),
  ).toBe('linearizable');
});

test('two winners of one transition are not linearizable', () => {
  expect(
    verdictOf(
      created,
      invocation('assign', 2, 9, accepted('ASSIGNED', 2)),
      invocation('assign', 3, 8, accepted('ASSIGNED', 2)),
    ),
  ).toBe('not linearizable');
});

test('a lost update is not linearizable', () => {
  expect(
    verdictOf(
      created,
      invocation('incident', 2, 9, accepted('SUBMITTED', 2)),
      invocation('escalate', 3, 8, accepted('SUBMITTED', 2)),
    ),
  ).toBe('not linearizable');
});

test('a read that does not show an acknowledged command is not linearizable', () => {
  expect(
    verdictOf(
      created,
      invocation('assign', 2, 3, accepted('ASSIGNED', 2)),
      invocation('read', 4, 5, { kind: 'accepted', status: 'SUBMITTED' }),
    ),
  ).toBe('not linearizable');
});

test('a command of unknown outcome may have taken effect, later or never', () => {
  const never = Number.POSITIVE_INFINITY;
  const lost = invocation('assign', 2, never, unknown);
  const read = (at: number, status: string) =>
    invocation('read', at, at + 1, { kind: 'accepted', status });
  expect(verdictOf(created, lost, read(4, 'SUBMITTED'))).toBe('linearizable');
  expect(verdictOf(created, lost, read(4, 'SUBMITTED'), read(6, 'ASSIGNED'))).toBe('linearizable');
  expect(verdictOf(created, lost, read(4, 'ASSIGNED'), read(6, 'SUBMITTED'))).toBe(
    'not linearizable',
  );
  // not before its invocation
  const later = invocation('assign', 3, never, unknown);
  expect(verdictOf(created, read(1.5, 'ASSIGNED'), later)).toBe('not linearizable');
});

test('an acknowledged order that does not exist is not linearizable', () => {
  expect(verdictOf(created, invocation('read', 4, 5, { kind: 'rejected' }))).toBe(
    'not linearizable',
  );
});

test('a replayed creation leaves the order as it is', () => {
  expect(
    verdictOf(
      created,
      invocation('assign', 2, 3, accepted('ASSIGNED', 2)),
      invocation('create', 4, 5, { kind: 'accepted' }),
      invocation('read', 6, 7, { kind: 'accepted', status: 'ASSIGNED' }),
    ),
  ).toBe('linearizable');
});

test('an update of a draft makes no event', () => {
  expect(
    verdictOf(
      invocation('createDraft', 0, 1, { kind: 'accepted' }),
      invocation('update', 2, 3, accepted('DRAFT', 0)),
      invocation('submit', 4, 5, accepted('SUBMITTED', 1)),
    ),
  ).toBe('linearizable');
});

test('40 overlapping invocations are decided within the bound', () => {
  const many = Array.from({ length: 40 }, (_, n) =>
    invocation('incident', 2 + (n % 4), 10 + n, accepted('SUBMITTED', n + 2)),
  );
  expect(verdictOf(created, ...many)).toBe('linearizable');
});
