/** The operators' pages, followed to the letter: a command counts only as the page has it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, namespace } from './cluster.ts';

const folder = new URL('../../../docs/operators/', import.meta.url);
const execute = promisify(execFile);
const commandMaxMs = 600_000;

/** Words of the pages, and what an operator writes in their place. */
export type Words = Readonly<Record<string, string>>;

/**
 * Opens a shell as an operator has it, whose context names the release's namespace.
 * @returns what runs a command of a page: its path in `docs/operators` without `.md`, the command
 * as it stands there, and what replaces its placeholders.
 */
export const openPages = async (on: Cluster, stage: Stage) => {
  const config = join(stage.folder, 'kubeconfig');
  const { stdout } = await execute('kubectl', ['config', 'view', '--raw', '--minify', '--flatten']);
  writeFileSync(config, stdout, { mode: 0o600 });
  const env = { ...process.env, KUBECONFIG: config };
  const run = async (page: string, command: string, words: Words = {}): Promise<string> => {
    const text = readFileSync(new URL(`${page}.md`, folder), 'utf8');
    assert.ok(text.includes(command), `the page ${page} has the command: ${command}`);
    const written = Object.entries(words).reduce(
      (line, [word, value]) => line.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value),
      command,
    );
    return on.run('sh', ['-c', written], { env, shown: written, timeoutMs: commandMaxMs });
  };
  await run('README', 'kubectl config set-context --current --namespace partner-api', {
    'partner-api': namespace,
  });
  return run;
};

export type Pages = Awaited<ReturnType<typeof openPages>>;
