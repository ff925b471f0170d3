/** The releases of an installation of several cells, as Helm renders them. */
import { charts, type Environment, type Manifest, manifests, render } from '../rendered.ts';

/** The namespace of each further cell's release, by the name of the cell. */
export const namespaces = {
  north: 'partner-api-north',
  south: 'partner-api-south',
} as const;
export type FurtherCell = keyof typeof namespaces;

/** Words for the first release. */
export const firstOfSeveral: readonly string[] = [
  ...Object.entries(namespaces).flatMap(([cell, namespace]) => [
    ...['--set', `global.cells.${cell}=${namespace}`],
  ]),
  ...['--set', 'mover.enabled=true'],
];

/** cell.yaml lies over production.yaml; the others have one user at Kafka, and a volume as anchor. */
const withoutProduction = [
  ...['--set', 'global.anchor.bucket=', '--set-json'],
  'global.kafka.users={"orders":"","custody":"","webhooks":"","topics":""}',
];

/** Words for the release of a further cell. */
export const furtherCell = (environment: Environment, cell: FurtherCell): string[] => [
  ...['--namespace', namespaces[cell], '-f', `${charts}/environments/cell.yaml`],
  ...['--set', `global.kafka.topicPrefix=${cell}.`],
  ...(environment === 'production' ? [] : withoutProduction),
];

/** Manifests of a further cell's release, with their namespace. */
export const manifestsOf = (environment: Environment, cell: FurtherCell): Manifest[] =>
  manifests(render(environment, furtherCell(environment, cell))).map((one) => ({
    ...one,
    metadata: { ...one.metadata, namespace: namespaces[cell] },
  }));

/** Manifests of all releases; those of the first one name no namespace. */
export const installation = (environment: Environment): Manifest[] => [
  ...manifests(render(environment, firstOfSeveral)),
  ...manifestsOf(environment, 'north'),
  ...manifestsOf(environment, 'south'),
];
