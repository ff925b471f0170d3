/** Checks the arrows between the rooms; see arrows.ts and ARCHITECTURE.md. */
import { cruise, format } from 'dependency-cruiser';
import { arrows } from './rules/arrows.ts';
import { folderCycles } from './rules/folder-cycles.ts';

const rooms = [
  'packages',
  'verifiers',
  'dev',
  'services',
  'clients/typescript/src',
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
const { modules, summary } = result.output;
const text = await format(result.output, { outputType: 'err' });
process.stdout.write(`${text.output}`);
if (summary.totalCruised < modulesMin) {
  process.stdout.write(`only ${summary.totalCruised} modules found: the parser is broken\n`);
  process.exit(1);
}
const circles = folderCycles(
  modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  ),
);
for (const { folders, imports } of circles) {
  process.stdout.write(`folders import each other in a circle: ${folders.join(', ')}\n`);
  for (const { from, to } of imports) process.stdout.write(`  ${from} imports ${to}\n`);
}
process.exit(summary.error > 0 || circles.length > 0 ? 1 : 0);
