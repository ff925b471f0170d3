import { expect, test } from '@jest/globals';
import { findProgram } from './programs.ts';
import { type Environment, manifests, podTemplates, render } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

/** The anchor settings of custody and the auditor, and their volumes. */
const anchorOf = (environment: Environment, more: readonly string[] = []) => {
  const all = manifests(render(environment, more));
  const pods = podTemplates(all).filter(({ metadata }) =>
    ['custody', 'auditor'].includes(metadata.name),
  );
  return {
    told: pods.map(({ spec }) =>
      spec.template.spec.containers[0].env
        .filter(({ name }: { name: string }) => name.startsWith('CUSTODY_ANCHOR_'))
        .map(({ name, value }: { name: string; value: string }) => `${name}=${value}`),
    ),
    credentials: pods.map(({ spec }) =>
      spec.template.spec.containers[0].env.flatMap(
        ({ name, valueFrom }: { name: string; valueFrom?: { secretKeyRef?: { name: string } } }) =>
          name.startsWith('AWS_') ? (valueFrom?.secretKeyRef?.name ?? []) : [],
      ),
    ),
    mounts: pods.map(({ spec }) =>
      spec.template.spec.volumes.some(({ name }: { name: string }) => name === 'anchor'),
    ),
    // what the Secret of the anchor is made of
    fetched: all
      .filter(({ kind, metadata }) => kind === 'ExternalSecret' && metadata.name === 'anchor')
      .map(({ spec }) => spec.data.map(({ secretKey }: { secretKey: string }) => secretKey))
      .filter((keys: string[]) => keys.some((key) => key.startsWith('AWS_'))),
    claims: all
      .filter(({ kind }) => kind === 'PersistentVolumeClaim')
      .map(({ metadata }) => metadata.name)
      .sort(),
  };
};

withHelm('one value puts it into a bucket, for both, and no volume is claimed', () => {
  const told = [
    'CUSTODY_ANCHOR_BUCKET=s3://anchor.example.com/production',
    'CUSTODY_ANCHOR_ENDPOINT=https://objects.example.com',
    'CUSTODY_ANCHOR_RETENTION=3650d',
  ];
  expect(anchorOf('production')).toEqual({
    told: [told, told],
    credentials: [
      ['anchor', 'anchor'],
      ['anchor', 'anchor'],
    ],
    fetched: [['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
    mounts: [false, false],
    claims: ['auditor-memory'],
  });
});

withHelm.each<[Environment, string[]]>([
  ['sandbox', []],
  ['production', ['--set', 'global.anchor.bucket=']],
])('without it both have the same file on one volume: %s %j', (environment, more) => {
  const told = ['CUSTODY_ANCHOR_FILE=/anchor/checkpoints'];
  expect(anchorOf(environment, more)).toEqual({
    told: [told, told],
    credentials: [[], []],
    fetched: [],
    mounts: [true, true],
    claims: ['auditor-memory', 'custody-anchor'],
  });
});

withHelm('a role of the pods takes the place of credentials: nothing fetches any', () => {
  const role = 'eks.amazonaws.com/role-arn';
  const more = [
    ...['--set', 'global.anchor.secret='],
    ...['--set-json', `custody.serviceAccount.annotations={"${role}":"one"}`],
    ...[
      '--set-json',
      'global.peers.credentials={"port":443,"at":[{"ipBlock":{"cidr":"10.9.9.9/32"}}]}',
    ],
  ];
  const { credentials, fetched } = anchorOf('production', more);
  expect({ credentials, fetched }).toEqual({ credentials: [[], []], fetched: [] });
  const all = manifests(render('production', more));
  const annotated = all.filter(
    ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.annotations?.[role] === 'one',
  );
  expect(annotated.map(({ metadata }) => metadata.name)).toEqual(['custody']);
  const reaching = all.filter(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && JSON.stringify(spec.egress).includes('10.9.9.9'),
  );
  expect(reaching.map(({ metadata }) => metadata.name).sort()).toEqual([
    ...['auditor', 'custody', 'orders'],
  ]);
});

withHelm('a bucket that nobody may speak to is refused', () => {
  expect(() => render('production', ['--set', 'global.peers.objects=null'])).toThrow(
    'global.peers.objects',
  );
});

withHelm('a bucket of artifacts that nobody may speak to is refused', () => {
  const without = ['--set', 'global.peers.objects=null', '--set', 'global.anchor.bucket='];
  expect(() => render('production', without)).toThrow(
    'global.peers.objects is required with orders.env.ARTIFACTS_BUCKET',
  );
});
