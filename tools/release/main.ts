/**
 * Makes a release in one commit with its tag: the packages' versions, the changelog's section, the
 * recorded OpenAPI document. `npm run release -- 1.1.0`; nothing is pushed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { trackedFiles } from '../tracked-files.ts';
import { changeOf, mayFollow, releasedChangelog } from './versions.ts';

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(2);
};

const [version = ''] = process.argv.slice(2);
const { version: present } = JSON.parse(readFileSync('package.json', 'utf8'));
if (!mayFollow(present, version))
  fail(`Name a version from ${present} on, like 1.2.3: npm run release -- VERSION`);
if (git('status', '--porcelain') !== '') fail('Commit or stash your changes first.');
if (git('tag', '--list', `v${version}`) !== '') fail(`v${version} exists already.`);

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const date = new Date().toISOString().slice(0, 10);
try {
  writeFileSync('CHANGELOG.md', releasedChangelog(changelog, version, date));
} catch (error) {
  fail((error as Error).message);
}
for (const path of trackedFiles()) {
  const change = changeOf(path);
  if (change) writeFileSync(path, change(readFileSync(path, 'utf8'), present, version));
}
execFileSync(process.execPath, ['tools/openapi/check.ts', '--release'], { stdio: 'inherit' });
git('commit', '--all', '--quiet', '--message', `release: ${version}`);
git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
process.stdout.write(`v${version} is committed and tagged. Push it: git push --follow-tags\n`);
