/**
 * Resolves what code and documents cite: "contract 6.6" to a section of docs/contract.md,
 * "decision 38" to a row of docs/decisions, and each relative link of a document to a file.
 */
import { readFileSync } from 'node:fs';
import { citationsCheck, linksCheck } from './rules/citations.ts';
import { trackedFiles } from './tracked-files.ts';

const tracked = trackedFiles();
const read = (path: string): string => readFileSync(path, 'utf8');

const unknownCitations = citationsCheck(read('docs/contract.md'), read('docs/decisions/README.md'));
const brokenLinks = linksCheck(tracked);
const cited = tracked.filter((path) => /\.(ts|js|proto|md|ya?ml|py|php)$/.test(path));
const faults = cited.flatMap((path) => {
  const text = read(path);
  return [
    ...unknownCitations(text).map((citation) => `${path}: there is no ${citation}`),
    ...(path.endsWith('.md') ? brokenLinks(path, text) : []).map(
      (link) => `${path}: the link ${link} leads to no file`,
    ),
  ];
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
