import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cruise } from 'dependency-cruiser';
import { arrows } from '../../rules/arrows.ts';

const folder = mkdtempSync(join(tmpdir(), 'arrows-'));
afterAll(() => rmSync(folder, { recursive: true }));
let checkouts = 0;

/** @param imports each a file and the file that it imports, such as `queue/a posting/b`. */
const circlesOf = async (...imports: readonly string[]): Promise<string[]> => {
  const baseDir = join(folder, `${++checkouts}`);
  for (const pair of imports) {
    const [from, to] = pair.split(' ').map((name) => {
      const file = join(baseDir, 'services', name.replace('/', '/src/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.ts`, '', { flag: 'a' });
      return file;
    }) as [string, string];
    writeFileSync(`${from}.ts`, `import '${to}.ts';\n`, { flag: 'a' });
  }
  const ruleSet = { forbidden: arrows.forbidden as never };
  const options = { ...(arrows.options as object), baseDir, validate: true, ruleSet };
  const { output } = await cruise(['services'], options);
  if (typeof output === 'string') throw new Error('no result');
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} ${to}`);
};

test('folders that import each other over a third one are a circle', async () => {
  const circles = await circlesOf(
    'webhooks/queue/a webhooks/posting/b',
    'webhooks/posting/b webhooks/streams/c',
    'webhooks/streams/d webhooks/queue/e',
    'webhooks/rpc/f webhooks/queue/a',
  );
  const [queue, posting, streams] = ['queue', 'posting', 'streams'].map(
    (name) => `services/webhooks/src/${name}`,
  );
  const name = 'no-circles-of-the-folders-of-a-room';
  expect(circles.sort()).toEqual([
    `${name}: ${posting} ${streams}`,
    `${name}: ${queue} ${posting}`,
    `${name}: ${streams} ${queue}`,
  ]);
});

test('layers, imports within a folder, and files beside the folders are no circle', async () => {
  const circles = await circlesOf(
    'webhooks/rpc/a webhooks/queue/b',
    'webhooks/queue/b webhooks/queue/c',
    'webhooks/queue/c webhooks/config',
    'webhooks/config webhooks/rpc/d',
  );
  expect(circles).toEqual([]);
});

test('folders of the same name in two services are two', async () => {
  const circles = await circlesOf('orders/rpc/a orders/orders/b', 'custody/orders/b custody/rpc/a');
  expect(circles).toEqual([]);
});
