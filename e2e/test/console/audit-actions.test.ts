/** The words for what operators do. */
import { expect, test } from '@jest/globals';
import { callers } from '@pto/proto/callers';
import { changes, choiceOf, reads, wordsOf } from '../../../console/src/pages/audit/actions.ts';

const isRead = /^(List|Get|Show|Find|Search|Count|Export|Verify|WhoAmI|Check)/;
const rpcs = Object.entries(callers).flatMap(([service, rows]) =>
  Object.entries(rows)
    .filter(([, { roles }]) => roles.length > 0)
    .map(([name]) => ({ service, name })),
);

test('every change of an operator has words, and every read its name', () => {
  const written = Object.values(changes).flatMap((rows) => Object.keys(rows));
  const names = rpcs.map(({ name }) => name);
  expect(names.filter((name) => !isRead.test(name) && !written.includes(name))).toEqual([]);
  expect(reads.filter((name) => !isRead.test(name))).toEqual([]);
  expect(written.filter((name) => !names.includes(name))).toEqual(['first-token']);
});

test('words and choices have no code names', () => {
  for (const { service, name } of rpcs) {
    expect(wordsOf(`${service}/${name}`)).not.toMatch(/[a-z][A-Z]|undefined/);
    expect(choiceOf(name)).not.toMatch(/[a-z][A-Z]|[{}]| (to|of|for)$/);
  }
  expect(wordsOf('webhooks.v1.DeliveryService/ShowEndpoint')).toBe(
    'read: show endpoint {endpoint}',
  );
  expect(choiceOf('AssignOrder')).toBe('assigned order to a carrier');
});
