/** Checks the arrows between the rooms; see arrows.ts and ARCHITECTURE.md. */
import { cruise, format } from 'dependency-cruiser';
import { arrows } from './rules/arrows.ts';

const rooms = [
  'packages',
  'verifiers',
  'dev',
  'services',
  'clients/typescript/src',
  'clients/command-line',
  'operator',
  'local',
  'site',
  'e2e',
  'bench',
  'proto',
];
/** With the wrong parser the tool finds nothing, and so nothing wrong. */
const modulesMin = 250;

const result = await cruise(rooms, {
  ...(arrows.options as object),
  validate: true,
  ruleSet: { forbidden: arrows.forbidden as never },
});
if (typeof result.output === 'string') throw new Error('no result');
const { summary } = result.output;
const text = await format(result.output, { outputType: 'err' });
process.stdout.write(`${text.output}`);
if (summary.totalCruised < modulesMin) {
  process.stdout.write(`only ${summary.totalCruised} modules found: the parser is broken\n`);
  process.exit(1);
}
process.exit(summary.error > 0 ? 1 : 0);
