import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Stage } from '../stage/rehearsal.ts';
import { lifetimeSeconds } from './cert-manager.ts';
import { untilInUse } from './certificates-in-use.ts';
import { type Cluster, namespace, where } from './cluster.ts';
import type { Partner } from './partner-pod.ts';
import { fileOf } from './secret-change.ts';

/** Secret of `global.tls.caSecret`. */
export const authorities = 'internal-authorities';
const next = 'next-authority';
/** Longer than the authority of the stores' chart, 3650 days, so that the metric shows it. */
const nextHours = 4000 * 24;
const rejectedWithinMs = 180_000;

/** Has all processes trust these authorities, PEM. */
export const trust = (on: Cluster, ...pems: readonly string[]): Promise<void> =>
  on.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: authorities },
    stringData: { 'ca.crt': pems.join('') },
  });

/** docs/operators/keys.md, "TLS between services": the authority is replaced, in three steps. */
export const replaceAuthority = async (
  on: Cluster,
  stage: Stage,
  partner: Partner,
): Promise<void> => {
  const old = await fileOf(on, 'local-authority', 'tls.crt');
  const outdated = {
    cert: await fileOf(on, 'auditor-tls', 'tls.crt'),
    key: await fileOf(on, 'auditor-tls', 'tls.key'),
  };
  const young = await stage.step('a second authority', async () => {
    await on.apply(nextAuthority);
    await on.kubectl('wait', '--for=condition=Ready', `certificate/${next}`, '--timeout=60s');
    return fileOf(on, next, 'tls.crt');
  });
  await stage.step('1: every pod trusts both authorities', async () => {
    await trust(on, old, young);
    const shown = Date.now() / 1000 + (nextHours - 24) * 3600;
    await untilInUse(on, 'both authorities', ({ authority }) => authority > shown);
    // the console reads its authorities at its start
    await on.kubectl('rollout', 'restart', 'deployment/console');
    await on.kubectl('rollout', 'status', 'deployment/console', '--timeout=10m');
    await partner.closedIn(5);
  });
  await stage.step('2: every pod has a certificate of the second authority', async () => {
    const patch = JSON.stringify({ spec: { ca: { secretName: next } } });
    await on.kubectl('patch', 'issuer/partner-api', '--type=merge', '--patch', patch);
    const since = Date.now() / 1000;
    await untilInUse(
      ...([on, 'certificates of the second authority'] as const),
      ({ certificate }) => certificate > since + lifetimeSeconds,
    );
    await partner.closedIn(5);
    assert.equal(await signIn(on), '401', 'the console reaches the operators service');
    assert.ok(await isAccepted(on, outdated), 'a certificate of the first one is still accepted');
  });
  await stage.step('3: every pod trusts the second authority alone', async () => {
    await trust(on, young);
    await until(async () => !(await isAccepted(on, outdated)), {
      deadlineMs: rejectedWithinMs,
      what: 'the rejection of certificates of the first authority',
    });
    await partner.closedIn(5);
  });
};

/** Signs in to the console with a wrong token. @returns the status: 401 is of the operators service. */
const signIn = async (on: Cluster): Promise<string> =>
  (await on.kubectl('exec', 'deployment/console', '--', 'node', '--eval', signingIn)).trim();

const signingIn = `
  fetch('http://127.0.0.1:8080/session', {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      ...{ 'x-requested-with': 'console', origin: 'http://127.0.0.1:8080' },
    },
    body: JSON.stringify({ credential: 'none' }),
  }).then(({ status }) => console.log(status));`;

const nextAuthority = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: next },
  spec: {
    secretName: next,
    isCA: true,
    commonName: 'second authority of the rehearsal',
    duration: `${nextHours}h`,
    issuerRef: { kind: 'ClusterIssuer', name: 'self-signed', group: 'cert-manager.io' },
  },
};

/** @returns whether any pod of orders serves a call with this certificate of the auditor. */
const isAccepted = async (
  on: Cluster,
  files: { readonly cert: string; readonly key: string },
): Promise<boolean> => {
  const path = '-o=jsonpath={.items[*].status.podIP}';
  const pods = await on.look('get', 'pods', '-l', 'app.kubernetes.io/name=orders', path);
  const given = Buffer.from(JSON.stringify(files)).toString('base64');
  const responses = await Promise.all(
    pods
      .split(' ')
      .map((address) =>
        on.run(
          'kubectl',
          [...where, 'exec', 'deployment/auditor', '--', 'node', '--eval', call, address, given],
          { shown: `kubectl exec deployment/auditor: a call of orders at ${address}` },
        ),
      ),
  );
  const statuses = responses.map((text) => text.trim());
  for (const status of statuses) assert.match(status, /^(200|no connection)$/);
  return statuses.includes('200');
};

/** In the pod of the auditor. */
const call = `
  const [address, given] = process.argv.slice(1);
  const { cert, key } = JSON.parse(Buffer.from(given, 'base64'));
  const url = \`https://\${address}:8081/orders.v1.CustodyEvidenceService/ListHeads\`;
  const options = {
    ...{ cert, key, ca: require('node:fs').readFileSync('/tls/ca.crt'), method: 'POST' },
    ...{ servername: 'orders.${namespace}.svc', headers: { 'content-type': 'application/json' } },
  };
  require('node:https')
    .request(url, options, (response) => {
      console.log(response.statusCode);
      response.resume();
    })
    .on('error', () => console.log('no connection'))
    .end('{}');`;
