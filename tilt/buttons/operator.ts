import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operatorRoles } from '@pto/proto/callers';

const run = promisify(execFile);
const withinMs = 120_000;
/** Issued once for each press of a button. */
let token: Promise<string> | undefined;

/**
 * The operator's command line, for the cluster that Tilt judged.
 * @returns what it printed as JSON. @throws Error with its own words.
 */
export const operator = async <T>(...words: readonly string[]): Promise<T> => {
  const { TILT_CONTEXT = '', TILT_NAMESPACE = '' } = process.env;
  const cluster = ['--context', TILT_CONTEXT, '--namespace', TILT_NAMESPACE];
  const fail = (error: unknown): never => {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `operator ${words.slice(0, 2).join(' ')}: ${stdout ?? ''}${stderr || (error as Error).message}`,
    );
  };
  token ??= firstToken(cluster);
  const OPERATOR_TOKEN = await token.catch(fail);
  const forward = await openForward(cluster);
  try {
    const { stdout } = await run(process.execPath, [operatorProgram, '--json', ...words], {
      env: { ...process.env, ...forward.environment, OPERATOR_TOKEN },
      timeout: withinMs,
      maxBuffer: 2 ** 24,
    }).catch(fail);
    return JSON.parse(stdout) as T;
  } finally {
    forward.close();
  }
};

/**
 * Issues a token with all roles in a cluster for trials (docs/operators/identities.md). The owner's
 * URL goes by standard input: it reaches neither a log nor an argument.
 * @param where `--namespace` and the like, for kubectl.
 */
export const firstToken = async (where: readonly string[]): Promise<string> => {
  const kubectl = (...words: string[]) =>
    run('kubectl', [...where, ...words], { timeout: withinMs });
  const path = '-o=jsonpath={.data.MIGRATION_DATABASE_URL}';
  const { stdout: url } = await kubectl('get', 'secret', 'access-owner', path);
  const issuing = kubectl(
    ...['exec', '-i', 'deployment/operators', '--', '/usr/local/bin/node'],
    ...['first-token.mjs', '--database-url-stdin', '--another'],
    ...operatorRoles.flatMap((role) => ['--role', role]),
  );
  issuing.child.stdin?.end(Buffer.from(url, 'base64'));
  return (await issuing).stdout.trim();
};

/** The operator's command line, which runs on this machine: no pod holds an operator's identity. */
export const operatorProgram = fileURLToPath(
  new URL('../../operator/src/main.ts', import.meta.url),
);
const readyWithinMs = 30_000;

/** The operators service of a cluster at a port of this machine, until `close`. */
interface Forward {
  /** Settings for the command line; they lack the credential. */
  readonly environment: Readonly<Record<'OPERATOR_URL' | 'OPERATOR_CA_FILE', string>>;
  close(): void;
}

/**
 * Opens a free port of this machine that `kubectl port-forward` connects to the operators service.
 * @param where `--namespace` and the like, for kubectl.
 * @throws Error if there is no port within 30 s.
 */
export const openForward = async (where: readonly string[]): Promise<Forward> => {
  const path = '-o=jsonpath={.data.ca\\.crt}';
  const words = [...where, 'get', 'secret', 'operators-tls', path];
  const { stdout: ca } = await run('kubectl', words, { timeout: readyWithinMs });
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, Buffer.from(ca, 'base64'));
  const to = ['port-forward', '--address=127.0.0.1', 'service/operators', ':operators'];
  const child = spawn('kubectl', [...where, ...to], { stdio: ['ignore', 'pipe', 'inherit'] });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const signal = AbortSignal.timeout(readyWithinMs);
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('kubectl port-forward ended');
    });
    const [line] = await Promise.race([once(child.stdout, 'data', { signal }), ended]);
    const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`kubectl port-forward printed ${line}`);
    const url = `https://localhost:${port}`;
    return { environment: { OPERATOR_URL: url, OPERATOR_CA_FILE: caFile }, close };
  } catch (error) {
    close();
    throw error;
  }
};

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

const name = 'Tilt Clinic';

/** Issues a key of the buttons' organization, with the given lifetime. */
export const demoKey = async (scopes: string, expiresIn: string): Promise<string> => {
  const all = await operator<Organization[]>('org', 'list');
  const { id } =
    all.find((one) => one.name === name && one.enabled) ??
    (await operator<Organization>('org', 'create', '--name', name));
  const words = ['--org', id, '--scopes', scopes, '--expires-in', expiresIn];
  return (await operator<{ key: string }>('key', 'issue', ...words)).key;
};
