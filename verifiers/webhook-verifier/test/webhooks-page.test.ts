import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { knownEventNames } from '../src/index.ts';
import { sample, sealed } from './deliveries/bodies.ts';
import { pinned } from './deliveries/pinned.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../../docs/partners/webhooks.md');

test('the payload is the one of the vectors, and every member of it is explained', () => {
  const guide = read('../../../site/pages/guides/webhooks.md');
  const [, shown] = /```json\n([\s\S]*?)```/.exec(guide)!;
  expect(JSON.parse(shown!)).toEqual(sealed);
  for (const path of [...pathsOf(sealed), ...pathsOf(sample)])
    expect(page).toContain(`\`${path}\``);
});

test('every event and every reason of a refusal is named', () => {
  for (const name of knownEventNames) expect(page).toContain(`\`${name}\``);
  const reasons = pinned.flatMap(({ expect: of }) => (of.valid ? [] : [of.reason]));
  expect(new Set(reasons).size).toBe(7);
  for (const reason of reasons) expect(page).toContain(`| \`${reason}\` |`);
});

/** `data.order.id`, for each member that holds no others. */
const pathsOf = (value: object, before = ''): string[] =>
  Object.entries(value).flatMap(([name, of]) =>
    typeof of === 'object' && of !== null ? pathsOf(of, `${before}${name}.`) : [`${before}${name}`],
  );
