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

/** The environment's manifests as text. @throws Error with what Helm says. */
export const render = (environment: Environment, more: readonly string[] = []): string => {
  const { code, output } = run(findProgram('helm')!, [
    ...['template', 'partner-api', '--namespace', 'partner-api'],
    ...helmArguments(environment),
    ...more,
  ]);
  if (code !== 0) throw new Error(output);
  return output;
};

export const manifests = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

/** Pods that will be, by the name of their Deployment or Job. */
export const podTemplates = (all: readonly Manifest[]): Manifest[] =>
  all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
