import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { nameProcess } from '../measuring/profile-names.ts';
import { foldedStacks, foldProfiles } from '../suite/fold-profiles.ts';

const node = (id: number, functionName: string, url: string, children?: number[]) => ({
  id,
  callFrame: { functionName, url, lineNumber: id },
  ...(children && { children }),
});

test('the samples of a stack become one line with their sum, the longest first', () => {
  const profile = {
    nodes: [
      node(1, '(root)', '', [2, 3]),
      node(2, 'read', 'file:///a/orders.mjs', [4]),
      node(3, '', 'file:///a/gateway.mjs'),
      node(4, '(garbage collector)', ''),
    ],
    samples: [3, 4, 4, 2],
    timeDeltas: [10, 20, 30, 5],
  };
  expect(foldedStacks(profile)).toBe(
    [
      '(root);read orders.mjs:3;(garbage collector) 50',
      '(root);(anonymous) gateway.mjs:4 10',
      '(root);read orders.mjs:3 5',
      '',
    ].join('\n'),
  );
});

test('profiles and their folded stacks are named by their processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  const profile = { nodes: [node(1, '(root)', '')], samples: [1], timeDeltas: [3] };
  for (const pid of [17, 18])
    writeFileSync(
      join(folder, `CPU.20261123.165322.${pid}.0.001.cpuprofile`),
      JSON.stringify(profile),
    );
  nameProcess(17, 'orders', folder);
  foldProfiles(folder);
  expect(readdirSync(folder).sort()).toEqual([
    'orders.17.cpuprofile',
    'orders.17.folded',
    'other.18.cpuprofile',
    'other.18.folded',
    'processes.txt',
  ]);
  rmSync(folder, { recursive: true });
});
