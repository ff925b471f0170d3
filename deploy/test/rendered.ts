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

/** Keeps what a function of a text has returned, for all tests of a process: nobody changes it. */
const once = <T>(of: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, of(text));
    return known.get(text)!;
  };
};

const helm = (words: string): string => {
  const { code, output } = run(findProgram('helm')!, JSON.parse(words));
  if (code !== 0) throw new Error(output);
  return output;
};
const helmOnce = once(helm);

/**
 * The environment's manifests as text, which is rendered once in a process unless the words name a file:
 * that may have changed.
 * @throws Error with what Helm says.
 */
export const render = (environment: Environment, more: readonly string[] = []): string =>
  (more.includes('-f') ? helm : helmOnce)(
    JSON.stringify([
      ...['template', 'partner-api', '--namespace', 'partner-api'],
      ...helmArguments(environment),
      ...more,
    ]),
  );

export const manifests = once((text): readonly Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null),
);

/** Pods that will be, by the name of their Deployment or Job. */
export const podTemplates = (all: readonly Manifest[]): Manifest[] =>
  all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
