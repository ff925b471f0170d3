/** Each kind of failure that a driver's calls can return has words on the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type FailureKind, kinds } from '@pto/errors';
import { build } from 'esbuild';
import { words } from '../../../console/src/driver/failure-words.ts';

const root = join(import.meta.dirname, '../../..');

/** What serves a driver's calls: the forwarding, the positions, the shift, and the commands on orders. */
const entries = [
  'services/operators/src/calls/handle-call.ts',
  'services/operators/src/drivers/position-service.ts',
  'services/operators/src/identity/driver-sessions.ts',
  'services/orders/src/rpc/command-service.ts',
];
/** Kinds of these services that no call of a driver returns: only dispatchers cancel an order. */
const ofOthers: readonly FailureKind[] = ['CANCEL_NOT_ALLOWED'];

describe('the words of failures', () => {
  let named: ReadonlySet<string>;
  beforeAll(async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: entries,
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      format: 'esm',
      platform: 'node',
      external: ['*.node'],
    });
    const table = 'packages/errors/src/kinds.ts';
    const texts = Object.keys(metafile.inputs)
      .filter((path) => /^(services|packages)\//.test(path) && path !== table)
      .map((path) => readFileSync(join(root, path), 'utf8'));
    named = new Set(texts.flatMap((text) => text.match(/(?<=')[A-Z_]+(?=')/g) ?? []));
  });

  test('has each kind that the services of a driver name', () => {
    const returned = Object.keys(kinds).filter((kind) => named.has(kind));
    expect(returned.length).toBeGreaterThan(8);
    const known = [...Object.keys(words), ...ofOthers];
    expect(returned.filter((kind) => !known.includes(kind))).toEqual([]);
  });

  test('has no kind that does not exist', () => {
    const table = [...Object.keys(kinds), 'NO_ANSWER'];
    const of = Object.keys(words).map((key) => key.split(' ')[0]!);
    expect(of.filter((kind) => !table.includes(kind))).toEqual([]);
  });
});
