/** Places that an event of a command needs besides its transition, and that fail silently. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { commandNames } from '../../e2e/chaos/order-model.ts';
import { describeHistory } from '../../services/gateway/pages/describe-history.ts';
import { transitions } from '../../services/orders/src/domain/decide.ts';

const rows = Object.values(transitions).map(([, , type, internalType]) => [internalType, type]);
const custodyPage = readFileSync(
  new URL('../../docs/partners/custody.md', import.meta.url),
  'utf8',
);

test.each(rows)('%s has its row in the documentation for partners', (internalType, type) => {
  expect(custodyPage).toContain(`\n| \`${internalType}\` | \`${type}\` | `);
});

test.each(rows)('%s has a title on the page /verify', (internalType, type) => {
  const [entry] = describeHistory([{ type, internal_type: internalType }]);
  expect(entry!.title).not.toContain(internalType);
});

test('each command is in the model of the chaos workload', () => {
  // incidents that follow from a handover or readings have no command of their own
  const own = Object.keys(transitions).filter(
    (name) => !['sealMismatch', 'excursion'].includes(name),
  );
  expect(own.toSorted()).toEqual([...commandNames].toSorted());
});
