import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Rehearsal, Stage } from '../stage/rehearsal.ts';
import { authorities, replaceAuthority, trust } from './authority.ts';
import {
  lifetimeSeconds,
  openCertManager,
  publicCertificate,
  renewalsDue,
  renewEachMinute,
} from './cert-manager.ts';
import { certified, untilInUse } from './certificates-in-use.ts';
import { type Cluster, namespace, openCluster } from './cluster.ts';
import { openIngress } from './ingress-controller.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { replaceAll } from './replacement.ts';
import { fileOf } from './secret-change.ts';
import { openStores, publicHosts } from './stores.ts';

const entry = 'gateway-entry-tls';
const host = publicHosts.ingress;
const servedWithinMs = 120_000;

/** docs/operators/keys.md: cert-manager renews all certificates, and its authority is replaced. */
export const certificateRenewal: Rehearsal = {
  name: 'cluster-certificates',
  summary:
    'cert-manager renews all certificates each minute under load, is stopped past a renewal, and gets another authority',
  run: async (stage) => {
    const on = await openCluster(stage);
    const manager = await openCertManager(on);
    const address = await stage.step('the ingress controller', () => openIngress(on));
    await stage.step('the release, with certificates of cert-manager', async () => {
      await on.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
      await openStores(on, stage);
      await trust(on, await fileOf(on, 'local-authority', 'tls.crt'));
      await trustPublicly(on, manager.publicAuthority);
      await upgradeRelease(on, stage, { values });
      const all = [...certified, entry].map((name) => `certificate/${name}`);
      await on.kubectl('wait', '--for=condition=Ready', ...all, '--timeout=60s');
    });
    const operator = await openOperator(stage);
    const partner = await startPartner(stage, on, operator, {
      ...{ name: 'partner', base: `https://${host}`, hosts: { [host]: address } },
    });
    await partner.closedIn(5);
    const before = await restartsOf(on);
    const renewed = async (): Promise<void> => {
      const since = Date.now() / 1000;
      await untilInUse(
        ...([on, 'a renewed certificate in every pod'] as const),
        ({ certificate }) => certificate > since + lifetimeSeconds,
      );
      await partner.closedIn(5);
    };

    await stage.step('every pod uses a renewed certificate', async () => {
      stage.atEnd(() => renewEachMinute(on, certified, false));
      await renewEachMinute(on, certified, true);
      await renewed();
    });
    await stage.step('the ingress serves a renewed certificate', () => servedRenewed(on, stage));
    await stage.step('cert-manager is stopped past the next renewals', async () => {
      stage.atEnd(manager.start);
      await manager.stop();
      await renewalsDue(on);
      await partner.closedIn(10);
    });
    await stage.step('it is back, and every pod uses a renewed certificate', async () => {
      await manager.start();
      await renewed();
    });
    await replaceAuthority(on, stage, partner);

    await stage.step('no pod was replaced or restarted', async () => {
      assert.equal(await restartsOf(on), before);
    });
    await stage.step('connections that are opened now are accepted', async () => {
      await replaceAll(on, stage, () => restart(on), servers);
      await partner.closedIn(5);
    });
    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

/** Processes that the others call. */
const servers = ['orders', 'custody', 'webhooks', 'operators'];

const restart = (on: Cluster) =>
  on.kubectl('rollout', 'restart', ...servers.map((name) => `deployment/${name}`));

const values = {
  global: { tls: { caSecret: authorities } },
  gateway: {
    ingress: {
      ...{ enabled: true, class: 'traefik', host, tlsSecret: entry },
      annotations: publicCertificate,
    },
  },
};

/** Has the partner trust the public authority beside the one of its own endpoint. */
const trustPublicly = async (on: Cluster, authority: string): Promise<void> => {
  const own = await fileOf(on, 'partner-ca', 'ca.crt');
  const patch = JSON.stringify({ stringData: { 'ca.crt': `${own}${authority}` } });
  await on.run('kubectl', ['--namespace', namespace, 'patch', 'secret/partner-tls', '-p', patch], {
    shown: 'kubectl patch secret/partner-tls: the public authority',
  });
};

/** Waits until new connections to the ingress get another certificate than now. */
const servedRenewed = async (on: Cluster, stage: Stage): Promise<void> => {
  const serial = () => on.look('exec', 'partner', '--', 'node', '--eval', served);
  const first = await serial();
  const then = await until(
    async () => {
      const now = await serial();
      return now !== first && now;
    },
    { deadlineMs: servedWithinMs, what: 'another public certificate' },
  );
  stage.note(`  serial ${first.slice(0, 8)}…, then ${then.slice(0, 8)}…`);
};

/** In the pod of the partner. */
const served = `
  const socket = require('node:tls').connect({ host: '${host}', port: 443, servername: '${host}' }, () => {
    console.log(socket.getPeerCertificate().serialNumber);
    socket.destroy();
  });`;

/** Names of the pods that have a certificate, with the restarts of their processes. */
const restartsOf = async (on: Cluster): Promise<string> => {
  const one = '{.metadata.name} {.status.containerStatuses[*].restartCount}';
  const path = `-o=jsonpath={range .items[*]}${one}{"\\n"}{end}`;
  const processes = `app.kubernetes.io/name in (${certified.join()})`;
  const which = ['-l', processes, '--field-selector=status.phase=Running'];
  return on.look('get', 'pods', ...which, '--sort-by=.metadata.name', path);
};
