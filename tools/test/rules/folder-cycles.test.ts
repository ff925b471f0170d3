import { expect, test } from '@jest/globals';
import { folderCycles, type Import } from '../../rules/folder-cycles.ts';

const imports = (...pairs: readonly string[]): Import[] =>
  pairs.map((pair) => {
    const [from, to] = pair.split(' ') as [string, string];
    return { from: `services/webhooks/src/${from}.ts`, to: `services/webhooks/src/${to}.ts` };
  });

test('folders that import each other over a third one are a circle', () => {
  const [circle, ...others] = folderCycles(
    imports('queue/a posting/b', 'posting/b streams/c', 'streams/d queue/e', 'rpc/f queue/a'),
  );
  expect(others).toEqual([]);
  expect(circle!.folders).toEqual(
    ['posting', 'queue', 'streams'].map((name) => `services/webhooks/src/${name}`),
  );
  expect(circle!.imports).toHaveLength(3);
});

test('layers, imports within a folder, and files beside the folders are no circle', () => {
  expect(
    folderCycles(
      imports(
        'rpc/a queue/b',
        'queue/b queue/c',
        'queue/c queue/b',
        'queue/c config',
        'config rpc/a',
      ),
    ),
  ).toEqual([]);
});

test('folders of the same name in two services are two', () => {
  expect(
    folderCycles([
      { from: 'services/orders/src/rpc/a.ts', to: 'services/orders/src/orders/b.ts' },
      { from: 'services/custody/src/orders/b.ts', to: 'services/custody/src/rpc/a.ts' },
    ]),
  ).toEqual([]);
});
