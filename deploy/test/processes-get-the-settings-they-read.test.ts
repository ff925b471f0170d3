import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { firstOfSeveral, furtherCell } from './cells/installation.ts';
import { findProgram } from './programs.ts';
import {
  charts,
  type Environment,
  environments,
  manifests,
  podTemplates,
  render,
} from './rendered.ts';
import { ofEveryone, ofObjectStorage, services, settableNames } from './settings.ts';

interface Variable {
  name: string;
  value?: string;
  valueFrom?: object;
}

const schema = JSON.parse(readFileSync(`${charts}/partner-api/values.schema.json`, 'utf8'));

test.each(Object.entries(settableNames))(
  'the chart takes what %s reads, and no other name',
  (name, names) => {
    expect(schema.definitions.settings[name].enum).toEqual(names);
  },
);

/** Each release by name, with its environment and further words of Helm. */
const releases: readonly [string, Environment, readonly string[]][] = [
  ...environments.map((name): [string, Environment, string[]] => [name, name, []]),
  ...(['sandbox', 'production'] as const).flatMap(
    (name): [string, Environment, readonly string[]][] => [
      [`first of several, ${name}`, name, firstOfSeveral],
      [`cell, ${name}`, name, furtherCell(name, 'north')],
    ],
  ),
];

const where = findProgram('helm') ? describe : describe.skip;

where('with Helm', () => {
  for (const [release, environment, words] of releases) {
    test(`${release}: every setting that a process needs, and none that it does not read`, () => {
      const pods = podTemplates(manifests(render(environment, words)));
      for (const [name, settings] of Object.entries(services)) {
        const pod = pods.find(({ metadata }) => metadata.name === name);
        // the courier is not in production, the mover where there are several cells, the console where
        // its host is known, and a further cell has none of what all cells share
        const isAbsent =
          name === 'courier'
            ? environment === 'production'
            : name === 'mover'
              ? !release.startsWith('first of several')
              : name === 'console' ||
                (release.startsWith('cell') && ['gateway', 'operators'].includes(name));
        if (isAbsent && !pod) continue;
        const given: Variable[] = pod!.spec.template.spec.containers[0].env;
        const names = given.map((variable) => variable.name);
        const declarations = Object.values(settings);
        const required = declarations.filter((one) => !Object.hasOwn(one, 'fallback'));
        const declaredNames = declarations.map((one) => one.name);
        const ofStore = ['CUSTODY_ANCHOR_BUCKET', 'ARTIFACTS_BUCKET'].some((bucket) =>
          declaredNames.includes(bucket),
        )
          ? ofObjectStorage
          : [];
        const known = new Set([...declaredNames, ...ofEveryone, ...ofStore]);
        expect([
          name,
          required.map((one) => one.name).filter((one) => !names.includes(one)),
        ]).toEqual([name, []]);
        expect([name, names.filter((one) => !known.has(one))]).toEqual([name, []]);
        expect(new Set(names).size).toBe(names.length);
        for (const { name: variable, value } of given) {
          const declaration = declarations.find((one) => one.name === variable);
          if (value) expect(() => declaration?.parse(value)).not.toThrow();
          const secret = declaration?.secret || variable.endsWith('DATABASE_URL');
          if (secret) expect([variable, value]).toEqual([variable, undefined]);
        }
      }
    });
  }

  test.each([
    ['gateway.env.GATEWAY_READS_PER_MINUT=1', 'GATEWAY_READS_PER_MINUT'],
    ['orders.env.CUSTODY_LOG_ORIGIN=x', 'CUSTODY_LOG_ORIGIN'],
    ['custody.env.CUSTODY_ANCHOR_FILE=/tmp/x', 'CUSTODY_ANCHOR_FILE'],
    ['operator.env.OPERATOR_URL=https://x', 'operator'],
    ['custody.jobs.migrate.secrets.custody={CUSTODY_SIGNING_KEYS}', 'secrets/custody/0'],
    ['custody.jobs.topics.env.KAFKA_TOPIC=x=1/7d', 'KAFKA_TOPIC'],
    ['webhooks.secrets.webhooks={WEBHOOKS_SECRET_KEY}', 'secrets/webhooks/0'],
    ['orders.jobs.migrate.secrets.orders-owner={MIGRATIONS_URL}', 'secrets/orders-owner/0'],
  ])('a setting that nobody reads is refused by its name: %s', (setting, name) => {
    expect(() => render('local', ['--set', setting])).toThrow(name);
  });
});
