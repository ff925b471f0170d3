/**
 * Reads every tracked file once and reports what the rules of tools/rules find in it: words that
 * docs/glossary.md replaces, SQL as text, reads of the wall clock, lossy reads of texts, install
 * lines of names that nobody owns, citations and links that lead nowhere.
 */
import { readFileSync } from 'node:fs';
import { citationsCheck, linksCheck } from './rules/citations.ts';
import * as installLines from './rules/install-lines.ts';
import * as language from './rules/language.ts';
import * as statements from './rules/statements.ts';
import * as textReads from './rules/text-reads.ts';
import * as wallClock from './rules/wall-clock.ts';
import { missingFiles, trackedFiles } from './tracked-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const tracked = trackedFiles();
const unknownCitations = citationsCheck(read('docs/contract.md'), read('docs/decisions/README.md'));
const brokenLinks = linksCheck(tracked);

const violationsOf = (path: string): string[] => {
  const text = read(path);
  return [
    ...(language.isChecked(path) ? language.languageViolations(path, text) : []),
    ...(statements.isChecked(path) ? statements.statementViolations(path, text) : []),
    ...(wallClock.isChecked(path) ? wallClock.wallClockViolations(path, text) : []),
    ...(textReads.isChecked(path) ? textReads.textReadViolations(path, text) : []),
    ...(installLines.isChecked(path) ? installLines.installLineViolations(path, text) : []),
    ...(path.endsWith('.md') ? brokenLinks(path, text) : []).map(
      (link) => `${path}: the link ${link} leads to no file`,
    ),
    ...unknownCitations(text).map((citation) => `${path}: there is no ${citation}`),
  ];
};

const violations = [
  ...missingFiles(
    [
      ...statements.listed,
      ...Object.keys(wallClock.wallClockReads),
      ...Object.keys(textReads.textReads),
    ],
    tracked,
  ),
  ...tracked
    .filter((path) => /\.(ts|js|proto|md|ya?ml|py|php|sh|tpl)$/.test(path))
    .flatMap(violationsOf),
];
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
