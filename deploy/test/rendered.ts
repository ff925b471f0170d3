import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { findProgram, run } from './programs.ts';

/** A manifest, as far as our tests look into it. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: {
    name: string;
    namespace?: string;
    labels?: Labels;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: whatever Kubernetes has
  readonly spec: any;
}
export type Labels = Readonly<Record<string, string>>;

export const charts = fileURLToPath(new URL('../helm', import.meta.url));
export const environments = ['local', 'sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

const digest = `sha256:${'0'.repeat(64)}`;
const released = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'console'];

/** As a release renders them: with a tag and, but on a developer's cluster, digests. */
export const helmArguments = (environment: Environment): string[] => [
  `${charts}/partner-api`,
  ...['-f', `${charts}/environments/${environment}.yaml`],
  ...['--set', 'global.image.tag=1.0.0'],
  ...(environment === 'local'
    ? []
    : released.flatMap((name) => ['--set', `global.image.digests.${name}=${digest}`])),
];

/**
 * The environment's manifests as text. Each text is rendered once in a run of the tests, unless the
 * words name a file, which may have changed.
 * @throws Error with what Helm says.
 */
export const render = (environment: Environment, more: readonly string[] = []): string => {
  const words = [
    ...['template', 'partner-api', '--namespace', 'partner-api'],
    ...helmArguments(environment),
    ...more,
  ];
  const folder = process.env.PTO_TEST_DIR;
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  const path = folder && !more.includes('-f') ? join(folder, `helm-${hash}.yaml`) : undefined;
  if (path && existsSync(path)) return readFileSync(path, 'utf8');
  const { code, output } = run(findProgram('helm')!, words);
  if (code !== 0) throw new Error(output);
  if (path) {
    writeFileSync(`${path}.${process.pid}`, output);
    renameSync(`${path}.${process.pid}`, path);
  }
  return output;
};

const parsed = new Map<string, readonly Manifest[]>();

/** The manifests of a text, which is parsed once in a process: nobody changes them. */
export const manifests = (text: string): readonly Manifest[] => {
  const known = parsed.get(text);
  if (known) return known;
  const all = parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
  parsed.set(text, all);
  return all;
};

/** Pods that will be, by the name of their Deployment or Job. */
export const podTemplates = (all: readonly Manifest[]): Manifest[] =>
  all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
