import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../test/programs.ts';
import type { Bed, CommandOptions } from '../drill.ts';

/** Of the release that all drills of a cluster share. */
export const namespace = 'partner-api-drill';

const execute = promisify(execFile);
const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const commandMaxMs = 600_000;
const lookMaxMs = 30_000;
const pollMs = 500;

/** Clusters of this machine: those that Tilt may change, and the test cluster, whose context is `node`. */
const names = ['docker-desktop', 'rancher-desktop', 'minikube', 'node'];
const families = ['kind-', 'k3d-'];

/**
 * Requires that drills may change the cluster of a context: they cordon nodes, delete namespaces and
 * scale other programs to 0.
 * @param allowed a context of another name that they may change: `DRILL_CONTEXT`.
 * @throws Error naming the context.
 */
export const requireLocalContext = (context: string, allowed: string | undefined): void => {
  if (context === allowed || names.includes(context)) return;
  if (families.some((family) => context.startsWith(family))) return;
  throw new Error(
    `drills do not change the cluster "${context}": they work with ` +
      `${[...families.map((family) => `${family}*`), ...names].join(', ')} only. Choose one with ` +
      'kubectl config use-context NAME, or name this one in DRILL_CONTEXT',
  );
};

/**
 * Opens the cluster of the current context.
 * @param name the namespace of `kubectl`, `apply`, `look` and of releases.
 * @throws Error naming the program, or the cluster, that is missing, or a context that is not local.
 */
export const openCluster = async (bed: Bed, name = namespace) => {
  const where = ['--namespace', name];
  for (const program of ['kubectl', 'helm'])
    if (findProgram(program) === undefined) throw new Error(`needs ${program} on the PATH`);
  const run = (program: string, args: readonly string[], options: CommandOptions = {}) =>
    bed.command(program, args, { cwd: checkout, timeoutMs: commandMaxMs, ...options });
  const kubectl = (...args: string[]) => run('kubectl', [...where, ...args]);
  const context = await run('kubectl', ['config', 'current-context']).catch((cause) => {
    throw new Error('needs a current context of kubectl', { cause });
  });
  requireLocalContext(context.trim(), process.env.DRILL_CONTEXT);
  await run('kubectl', ['get', '--raw', '/readyz']).catch((cause) => {
    throw new Error('needs a cluster in the current context of kubectl', { cause });
  });
  /** Applies objects, which the transcript does not show: some are Secrets. */
  const apply = async (...objects: readonly object[]): Promise<void> => {
    const file = join(bed.folder, `objects-${process.hrtime.bigint()}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const kinds = objects.map((one) => {
      const { kind, metadata } = one as { kind: string; metadata: { name: string } };
      return `${kind}/${metadata.name}`;
    });
    await run('kubectl', [...where, 'apply', '-f', file], { shown: `kubectl apply ${kinds}` });
  };
  /** Reads the state of objects, again and again: the transcript shows none of it. */
  const look = async (...args: string[]): Promise<string> => {
    await sleep(pollMs);
    return (await execute('kubectl', [...where, ...args], { timeout: lookMaxMs })).stdout;
  };
  /** Reads the values of a Secret. */
  const secret = async (of: string): Promise<Values> => {
    const { data } = JSON.parse(await look('get', 'secret', of, '-o', 'json'));
    const text = (value: string) => Buffer.from(value, 'base64').toString();
    return Object.fromEntries(Object.entries<string>(data).map(([key, one]) => [key, text(one)]));
  };
  /** Restarts Deployments, all at once, and waits for their pods. */
  const restart = async (...processes: readonly string[]): Promise<void> => {
    const deployments = processes.map((one) => `deployment/${one}`);
    await kubectl('rollout', 'restart', ...deployments);
    for (const one of deployments) await kubectl('rollout', 'status', one, '--timeout=10m');
  };
  return { bed, namespace: name, where, run, kubectl, apply, look, secret, restart };
};

/** Keys of a Secret with their values. */
export type Values = Readonly<Record<string, string>>;
export type Cluster = Awaited<ReturnType<typeof openCluster>>;
