/**
 * `npm run stryker [-- AREA...]`: mutates the pure cores and prints each area's score and the
 * mutants that survived. Fails if an area's score is below 95 %.
 */
import { areas } from './areas.ts';
import { isEquivalent } from './equivalents/is-equivalent.ts';
import { killed, type Mutation, survived } from './mutation.ts';
import { runArea } from './run-area.ts';

const scoreMinPercent = 95;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !areas.some((area) => area.name === name));
if (unknown.length > 0) {
  const known = areas.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no area ${unknown.join(', ')}. There are: ${known}\n`);
  process.exit(2);
}

const describeSurvivor = ({ file, line, original, replacement, status }: Mutation): string =>
  `  ${file}:${line} ${status}\n    - ${original}\n    + ${replacement}\n`;

for (const area of areas.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const mutations = await runArea(area);
  const survivors = mutations.filter((mutation) => survived(mutation) && !isEquivalent(mutation));
  const equivalent = mutations.filter((mutation) => survived(mutation) && isEquivalent(mutation));
  const kills = mutations.filter(killed).length;
  const timeouts = mutations.filter(({ status }) => status === 'Timeout').length;
  const percent = (100 * kills) / (kills + survivors.length);
  process.stdout.write(
    `${area.name}: ${percent.toFixed(1)} %, ${kills} killed (${timeouts} by time), ` +
      `${survivors.length} survived, ${equivalent.length} equivalent\n${survivors.map(describeSurvivor).join('')}`,
  );
  if (!(percent >= scoreMinPercent)) process.exitCode = 1;
}
