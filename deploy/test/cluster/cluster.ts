import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { firstToken, openForward, operatorProgram } from '../../../tilt/buttons/operator.ts';
import { scriptContainer } from './script-container.ts';

const execute = promisify(execFile);
const helm = fileURLToPath(new URL('../../helm', import.meta.url));
const script = readFileSync(new URL('load.js', import.meta.url), 'utf8');

/** What a partner in the cluster saw. */
export interface Load {
  readonly requests: number;
  readonly created: readonly string[];
  readonly failed: readonly string[];
}

/** The cluster of the current context, in a namespace of this test's own. */
export const cluster = (namespace: string) => {
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(program, ['--namespace', namespace, ...args], {
      timeout: 400_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };
  const kubectl = (...args: string[]) => run('kubectl', args);
  const release = `${helm}/partner-api`;
  const settings = [
    ...['-f', `${helm}/environments/local.yaml`, '--wait', '--timeout', '180s'],
    // a test is one address that is refused often
    ...['--set-string', 'gateway.env.GATEWAY_FAILED_AUTH_PER_MINUTE=1000000'],
  ];
  /** Where cert-manager is, the processes' certificates are its own; else the stores' chart has made them. */
  const hasCertManager = async () =>
    (await kubectl('api-resources', '--api-group=cert-manager.io', '-o', 'name')) !== '';
  const issuer = async () =>
    (await hasCertManager())
      ? [
          '--set-json',
          'global.tls.issuer={"kind":"Issuer","name":"partner-api","group":"cert-manager.io"}',
        ]
      : [];
  let token = '';
  /** The operators service at a port of this machine, and the settings of the command line. */
  const openOperator = async () => {
    const { environment, close } = await openForward(['--namespace', namespace]);
    return { environment: { ...environment, OPERATOR_TOKEN: token }, close };
  };
  const operator = async (...words: string[]) => {
    // a port-forward ends with its pod, so each command has its own
    const { environment, close } = await openOperator();
    const limits = { timeout: 400_000, maxBuffer: 64 * 1024 * 1024 };
    const env = { ...process.env, ...environment };
    try {
      const command = [operatorProgram, ...words, '--json'];
      return JSON.parse((await execute(process.execPath, command, { env, ...limits })).stdout);
    } finally {
      close();
    }
  };
  /** The first credential of the release. */
  const issueFirstToken = async (): Promise<void> => {
    token = await firstToken(['--namespace', namespace]);
  };
  return {
    namespace,
    kubectl,
    operator,
    openOperator,
    issueFirstToken,
    installStores: () =>
      run('helm', ['install', 'stores', `${helm}/local-stores`, '--wait', '--timeout', '180s']),
    hasCertManager,
    install: async () =>
      run('helm', ['install', 'partner-api', release, ...settings, ...(await issuer())]),
    upgrade: async (...more: string[]) =>
      run('helm', ['upgrade', 'partner-api', release, ...settings, ...(await issuer()), ...more]),
    rollback: () => run('helm', ['rollback', 'partner-api', '--wait', '--timeout', '180s']),
    /** Names of the running pods of ours. */
    pods: async (process?: string): Promise<string[]> => {
      const of = process ? `,app.kubernetes.io/name=${process}` : '';
      const selector = `app.kubernetes.io/part-of=partner-api${of}`;
      const names = await kubectl(
        ...['get', 'pods', '-l', selector, '--field-selector=status.phase=Running', '-o', 'name'],
      );
      return names.split('\n').filter(Boolean);
    },
    /** A partner at work until `stop`. */
    startLoad: async (name: string, environment: Readonly<Record<string, string>>) => {
      const env = Object.entries({ ...environment, RUN: name });
      const spec = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: { 'partner-api/partner': 'true' } },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          containers: [
            {
              ...scriptContainer('partner', script),
              env: env.map(([key, value]) => ({ name: key, value })),
            },
          ],
        },
      };
      const overrides = JSON.stringify(spec);
      await kubectl(
        'run',
        name,
        '--image',
        'unused',
        '--restart=Never',
        `--overrides=${overrides}`,
      );
      await kubectl('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=60s');
      return {
        stop: async (): Promise<Load> => {
          // its first process asks for the signal itself, and prints before it ends
          await kubectl('exec', name, '--', 'node', '--eval', 'process.kill(1, "SIGTERM")');
          await kubectl(
            ...['wait', `--for=jsonpath={.status.phase}=Succeeded`, `pod/${name}`, '--timeout=90s'],
          );
          const lines = (await kubectl('logs', name)).trim().split('\n');
          return JSON.parse(lines.at(-1) ?? '') as Load;
        },
      };
    },
    remove: async () => {
      await execute('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found', '--wait']);
    },
    create: () => execute('kubectl', ['create', 'namespace', namespace]),
  };
};
