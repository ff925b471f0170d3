import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A call of one of Tilt's built-ins, by the names of its parameters. */
export type Call = Readonly<Record<string, unknown>> & { readonly call: string };

/** What a Tiltfile declared, or why it ended. */
export interface Evaluated {
  readonly error?: string;
  readonly calls: Readonly<Record<string, readonly Call[]>>;
  readonly objects: readonly KubernetesObject[];
}

export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own
  readonly spec?: any;
}

/** A developer's machine: which programs it has, and what its cluster says. */
export interface Machine {
  readonly context: string;
  readonly lacks?: readonly string[];
  readonly silent?: boolean;
  readonly registry?: boolean;
}

export const root = new URL('../../', import.meta.url).pathname;
const has = (program: string) => spawnSync(program, ['version']).status === 0;
export const go = has('go');
export const tilt = has('tilt');
const homes = [...(process.env.PATH ?? '').split(':'), `${process.env.K8S_HOME ?? ''}/bin`];
/** On PATH, or in $K8S_HOME; undefined where there is none. */
export const helm = homes.map((home) => join(home, 'helm')).find((file) => existsSync(file));

/** The Tiltfile in its folder, on that machine, by Starlark's interpreter. */
export const evaluate = (machine: Machine): Evaluated => {
  const folder = mkdtempSync(join(tmpdir(), 'tilt-'));
  try {
    const program = join(folder, 'evaluator');
    const cwd = new URL('.', import.meta.url).pathname;
    execFileSync('go', ['build', '-o', program, '.'], { cwd, timeout: 120_000, stdio: 'pipe' });
    const { stdout, stderr, status } = spawnSync(
      program,
      [join(root, 'Tiltfile'), machine.context],
      { encoding: 'utf8', env: environment(folder, machine), timeout: 60_000, maxBuffer: 2 ** 26 },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Evaluated;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The same by Tilt itself. @returns what it printed, and how it ended. */
export const evaluateByTilt = (machine: Machine) => {
  const folder = mkdtempSync(join(tmpdir(), 'tilt-'));
  try {
    const env = environment(folder, machine);
    const words = ['alpha', 'tiltfile-result', '--file', join(root, 'Tiltfile')];
    const found = execFileSync('which', ['tilt'], { encoding: 'utf8' }).trim();
    return spawnSync(found, words, { encoding: 'utf8', env, timeout: 60_000, maxBuffer: 2 ** 26 });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A PATH with what the machine has and no more. */
const environment = (folder: string, { context, lacks = [], silent, registry }: Machine) => {
  const answer = silent
    ? 'exit 1'
    : registry === false
      ? '[ "$3" = version ] && echo v1'
      : 'echo v1';
  const programs: Record<string, string> = {
    kubectl: answer,
    docker: 'exit 0',
    kind: 'exit 0',
    minikube: 'exit 0',
    // objects that the cluster would return do not exist: this is a first start
    helm: `for word; do shift; case "$word" in --dry-run=server) ;; *) set -- "$@" "$word";; esac; done
exec ${helm} "$@"`,
  };
  for (const [name, script] of Object.entries(programs))
    if (!lacks.includes(name))
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  symlinkSync('/bin/sh', join(folder, 'sh'));
  const file = join(folder, 'kubeconfig');
  const server = { name: context, cluster: { server: 'https://127.0.0.1:9' } };
  const user = { name: context, user: {} };
  const one = { name: context, context: { cluster: context, user: context } };
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': context },
    ...(context && { clusters: [server], users: [user], contexts: [one] }),
  };
  writeFileSync(file, JSON.stringify(config));
  return { PATH: folder, HOME: folder, KUBECONFIG: file };
};
