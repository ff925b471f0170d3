import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { measurements, runbookOf, silenceRunbook } from '@pto/proto/measurements';

const root = new URL('../../', import.meta.url);

test('every measurement of StatusService has words, and no words are of another', () => {
  const measured = globSync('services/*/src/service.ts', { cwd: root.pathname }).flatMap((path) => {
    const source = readFileSync(new URL(path, root), 'utf8');
    const [, list = ''] = /const measured = \[([^\]]*)\]/.exec(source) ?? [];
    return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
  });
  expect([...new Set(measured)].sort()).toEqual(Object.keys(measurements).sort());
});

test('every value that needs attention has its runbook, and no other has one', () => {
  const limited = Object.entries(measurements).filter(([, { limit }]) => limit !== undefined);
  const named = Object.entries(measurements).filter(([, { runbook }]) => runbook !== undefined);
  expect(named).toEqual(limited);
  const runbooks = limited.map(([name, { limit }]) => {
    expect(runbookOf({ name, value: limit! })).toBeUndefined();
    return runbookOf({ name, value: limit! + 1 });
  });
  const missing = [...runbooks, silenceRunbook].filter(
    (name) => !existsSync(new URL(`docs/operators/runbooks/${name}.md`, root)),
  );
  expect(missing).toEqual([]);
  expect(runbookOf({ name: 'outbox_unsent', value: 1e9 })).toBeUndefined();
});
