import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { measurements } from '@pto/proto/measurements';

const root = new URL('../../', import.meta.url);

test('every measurement of StatusService has words, and no words are of another', () => {
  const measured = globSync('services/*/src/service.ts', { cwd: root.pathname }).flatMap((path) => {
    const source = readFileSync(new URL(path, root), 'utf8');
    const [, list = ''] = /const measured = \[([^\]]*)\]/.exec(source) ?? [];
    return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
  });
  expect([...new Set(measured)].sort()).toEqual(Object.keys(measurements).sort());
});
