import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../test/programs.ts';
import type { CommandOptions, Stage } from '../stage/rehearsal.ts';
import { requireLocalContext } from './local-context.ts';

/** Of the release that all rehearsals of a cluster share. */
export const namespace = 'partner-api-rehearsal';
const inNamespace = (name: string): string[] => ['--namespace', name];
/** For kubectl and helm. */
export const where = inNamespace(namespace);

const execute = promisify(execFile);
const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const commandMaxMs = 600_000;
const lookMaxMs = 30_000;
const pollMs = 500;

/**
 * Opens the cluster of the current context.
 * @param name the namespace of `kubectl`, `apply`, `look` and of releases.
 * @throws Error naming the program, or the cluster, that is missing, or a context that is not local.
 */
export const openCluster = async (stage: Stage, name = namespace) => {
  const words = inNamespace(name);
  for (const program of ['kubectl', 'helm'])
    if (findProgram(program) === undefined) throw new Error(`needs ${program} on the PATH`);
  const run = (program: string, args: readonly string[], options: CommandOptions = {}) =>
    stage.command(program, args, { cwd: checkout, timeoutMs: commandMaxMs, ...options });
  const kubectl = (...args: string[]) => run('kubectl', [...words, ...args]);
  const context = await run('kubectl', ['config', 'current-context']).catch((cause) => {
    throw new Error('needs a current context of kubectl', { cause });
  });
  requireLocalContext(context.trim(), process.env.REHEARSE_CONTEXT);
  await run('kubectl', ['get', '--raw', '/readyz']).catch((cause) => {
    throw new Error('needs a cluster in the current context of kubectl', { cause });
  });
  /** Applies objects, which the transcript does not show: some are Secrets. */
  const apply = async (...objects: readonly object[]): Promise<void> => {
    const file = join(stage.folder, `objects-${process.hrtime.bigint()}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const kinds = objects.map((one) => {
      const { kind, metadata } = one as { kind: string; metadata: { name: string } };
      return `${kind}/${metadata.name}`;
    });
    await run('kubectl', [...words, 'apply', '-f', file], { shown: `kubectl apply ${kinds}` });
  };
  /** Reads the state of objects, again and again: the transcript shows none of it. */
  const look = async (...args: string[]): Promise<string> => {
    await sleep(pollMs);
    return (await execute('kubectl', [...words, ...args], { timeout: lookMaxMs })).stdout;
  };
  return { namespace: name, where: words, run, kubectl, apply, look };
};

export type Cluster = Awaited<ReturnType<typeof openCluster>>;
