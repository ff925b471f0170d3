import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildPrograms, filesOf } from '@pto/bundle';
import { checkout } from '../src/checkout.ts';
import { programSources, programs } from '../src/processes/programs.ts';

test('the programs are bundled again when any of their sources changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  try {
    const { inputs } = await buildPrograms(checkout, programs, folder);
    const own = inputs.filter((path) => !path.includes('node_modules/'));
    expect(own.length).toBeGreaterThan(300);
    const known = new Set(filesOf(checkout, programSources));
    expect(own.filter((path) => !known.has(path))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
