/**
 * Resolves what code and documents cite: "contract 6.6" to a section of docs/contract.md,
 * "decision 38" to a row of docs/decisions, and each relative link of a document to a file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { citationsCheck, linksCheck } from './citations.ts';

const tracked = execFileSync('git', [
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
])
  .toString()
  .split('\0')
  .filter((path) => path !== '');
const read = (path: string): string => readFileSync(path, 'utf8');

const unknownCitations = citationsCheck(read('docs/contract.md'), read('docs/decisions/README.md'));
const brokenLinks = linksCheck(tracked);
const cited = tracked.filter((path) => /\.(ts|js|proto|md|ya?ml|py|php)$/.test(path));
const faults = cited.flatMap((path) => {
  let text: string;
  try {
    text = read(path);
  } catch {
    return []; // deleted, and not committed yet
  }
  return [
    ...unknownCitations(text).map((citation) => `${path}: there is no ${citation}`),
    ...(path.endsWith('.md') ? brokenLinks(path, text) : []).map(
      (link) => `${path}: the link ${link} leads to no file`,
    ),
  ];
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
