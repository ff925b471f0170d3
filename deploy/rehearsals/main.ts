/**
 * Rehearsals of what an operator does at night, on real processes: `npm run rehearse` lists them,
 * `npm run rehearse -- NAME` runs one. Its last line is the verdict; ends with 1 unless it passed.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rehearsals } from './rehearsals.ts';
import { runRehearsal } from './stage/run-rehearsal.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { transcripts: { type: 'string' }, from: { type: 'string' } },
});
const [name] = positionals;

if (name === undefined) {
  const width = Math.max(...rehearsals.map((one) => one.name.length));
  for (const one of rehearsals) process.stdout.write(`${one.name.padEnd(width)}  ${one.summary}\n`);
} else {
  const rehearsal = rehearsals.find((one) => one.name === name);
  if (rehearsal === undefined) {
    process.stderr.write(`no rehearsal ${name}: npm run rehearse lists them\n`);
    process.exitCode = 2;
  } else {
    const folder = resolve(values.transcripts ?? '.local-rehearsals');
    mkdirSync(folder, { recursive: true });
    const passed = await runRehearsal(rehearsal, join(folder, `${name}.txt`), values.from);
    process.exitCode = passed ? 0 : 1;
  }
}
// a connection that a failed rehearsal left open must not keep the process
process.exit();
