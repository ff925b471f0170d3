import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { waitMaxSeconds } from '../../../services/gateway/src/resources/events.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { openIngress } from './ingress-controller.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { replaceAll } from './replacement.ts';
import { openStores, type PartnerName, publicHosts } from './stores.ts';

const acceptedWithinMs = 60_000;

/** docs/operators/install.md: partners come by an Ingress and by an HTTPRoute, over TLS. */
export const routes: Rehearsal = {
  name: 'cluster-routes',
  summary:
    'partners come by an Ingress and by an HTTPRoute of the Gateway API, over TLS, while all gateways are replaced',
  run: async (stage) => {
    const on = await openCluster(stage);
    await on.kubectl('get', 'crd/httproutes.gateway.networking.k8s.io').catch((cause) => {
      throw new Error('needs the CRDs of the Gateway API', { cause });
    });
    const address = await stage.step('the controller', () => openIngress(on));
    await stage.step('the release, with an Ingress and an HTTPRoute', async () => {
      await openStores(on, stage);
      await on.apply(publicGateway);
      await upgradeRelease(on, stage, { settings: entries });
      await accepted(on);
    });
    const operator = await openOperator(stage);
    const startAt = (name: PartnerName, host: string) =>
      startPartner(stage, on, operator, {
        ...{ name, base: `https://${host}`, hosts: { [host]: address } },
      });
    const partners = [
      await startAt('partner', publicHosts.ingress),
      await startAt('partner-by-route', publicHosts.route),
    ];
    const allClosed = () => Promise.all(partners.map((partner) => partner.closedIn(5)));
    await allClosed();

    await stage.step('all gateways are replaced', () =>
      replaceAll(on, stage, () => on.kubectl('rollout', 'restart', 'deployment/gateway'), [
        'gateway',
      ]),
    );
    await allClosed();

    await stage.step('a request of the feed may wait as long as its page says', async () => {
      for (const partner of partners) {
        const { status, seconds } = await partner.waitForEvents(waitMaxSeconds);
        assert.deepEqual([status, seconds >= waitMaxSeconds], [200, true], `${seconds} s`);
      }
    });

    await stage.step('no request failed, no event is lost, none came twice', async () => {
      for (const partner of partners) await partner.requireSound();
    });
  },
};

const publicGateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'public' },
  spec: {
    gatewayClassName: 'traefik',
    listeners: [
      {
        ...{ name: 'https', protocol: 'HTTPS', port: 8443, hostname: publicHosts.route },
        tls: { mode: 'Terminate', certificateRefs: [{ name: 'gateway-public-tls' }] },
      },
    ],
  },
};

const entries: readonly string[] = [
  ...['--set', 'gateway.ingress.enabled=true', '--set', 'gateway.ingress.class=traefik'],
  ...['--set', `gateway.ingress.host=${publicHosts.ingress}`],
  ...['--set', 'gateway.ingress.tlsSecret=gateway-public-tls'],
  ...['--set', 'gateway.gatewayApi.enabled=true'],
  ...['--set', `gateway.gatewayApi.host=${publicHosts.route}`],
  ...['--set', 'gateway.gatewayApi.parents[0].name=public'],
];

/** Waits until the controller has accepted the route and found what it refers to. */
const accepted = (on: Cluster): Promise<true> =>
  until(
    async () => {
      const text = await on.look('get', 'httproute/gateway', '-o=jsonpath={.status.parents}');
      const [parent] = JSON.parse(text) as [
        { conditions: { type: string; status: string; reason: string }[] },
      ];
      return ['Accepted', 'ResolvedRefs'].every((type) =>
        parent.conditions.some((one) => one.type === type && one.status === 'True'),
      );
    },
    { deadlineMs: acceptedWithinMs, what: 'an accepted HTTPRoute' },
  );
