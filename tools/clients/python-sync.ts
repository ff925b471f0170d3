/** The synchronous Python client, made from the asynchronous one: both have the same statements. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = 'clients/python/src/partner_transport_orders';
const source = new URL(`../../${folder}/_async/`, import.meta.url);

const replacements: readonly [find: RegExp, replacement: string][] = [
  [/\basync (def|for|with) /g, '$1 '],
  [/\bawait /g, ''],
  [/\b__a(enter|exit|iter)__/g, '__$1__'],
  [/\basync_sleep\b/g, 'sleep'],
  [/\ba(close|iter_bytes)\(/g, '$1('],
  [/\bAsync([A-Z]\w*)/g, '$1'],
];

/** @returns paths from the root of the repository, with their texts. */
export const pythonSync = (): [path: string, text: string][] =>
  readdirSync(source)
    .filter((name) => name.endsWith('.py') && name !== '__init__.py')
    .map((name) => [`${folder}/_sync/${name}`, synchronous(name)]);

const synchronous = (name: string): string => {
  const text = readFileSync(new URL(name, source), 'utf8');
  return `# Made from _async/${name} by \`npm run generate\`.\n${replacements.reduce(
    (before, [find, replacement]) => before.replace(find, replacement),
    text,
  )}`;
};
