import { expect, test } from '@jest/globals';
import { citationsCheck, linksCheck } from '../../rules/citations.ts';

const contract = '## 7. Errors\n| 6.1 | Event types | x |\n| 5.1 to 5.3 | Keys | x |\n';
const decisions = '| 38 | Retries | x |\n| 39 | Timeouts | x |\n';
const unknown = citationsCheck(contract, decisions);
// in two parts: the check reads this file, too
const [section, record] = ['contract', 'decision'];

test('a citation of a section or decision that exists is accepted', () => {
  expect(
    unknown(`(${section} 6.1, ${section} 7, ${record} 38), ${section} 5.2; ${record}s 38 and 39`),
  ).toEqual([]);
});

test('two decisions with one number are rejected', () => {
  expect(() => citationsCheck(contract, `${decisions}| 38 | Others | x |\n`)).toThrow('38');
});

test('a citation of a section or decision that does not exist is reported', () => {
  expect(unknown(`${section} 6.9, ${section} 5.4, ${record} 99, ${record}s 38 and 40`)).toEqual([
    `${section} 6.9`,
    `${section} 5.4`,
    `${record} 99`,
    `${record} 40`,
  ]);
});

test('a link of a document to no file is reported', () => {
  const brokenLinks = linksCheck(['docs/a.md', 'services/orders/src/b.ts']);
  const text =
    '[a](a.md#part) [b](../services/orders/src/b.ts) [c](../services/) [x](https://x) [#](#y)';
  expect(brokenLinks('docs/d.md', text)).toEqual([]);
  expect(brokenLinks('docs/d.md', '[e](e.md) [f](../services/b.ts)')).toEqual([
    'e.md',
    '../services/b.ts',
  ]);
});
