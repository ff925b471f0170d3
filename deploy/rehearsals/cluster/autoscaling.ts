import { until } from '@pto/testing';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { openStores } from './stores.ts';

const most = 4;
/** The gateways take little of what an order costs: 12 orders at once fill two cores with 40m each. */
const requestedCpu = '25m';
const scaledWithinMs = 240_000;
/** In place of the chart's 300 s and 60 s, so that the rehearsal sees the pods go. */
const scaleDown = {
  stabilizationWindowSeconds: 15,
  policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }],
};

/** docs/operators/scale-retention.md: the autoscaler adds gateways under load and removes them. */
export const autoscaling: Rehearsal = {
  name: 'cluster-autoscaling',
  summary:
    'the autoscaler adds gateways under load and removes them after it, without a failed request',
  run: async (stage) => {
    const on = await openCluster(stage);
    await on.kubectl('top', 'nodes').catch((cause) => {
      throw new Error('needs metrics-server', { cause });
    });
    await stage.step(`the release, with at most ${most} gateways`, async () => {
      await openStores(on, stage);
      await upgradeRelease(on, stage, {
        settings: [
          ...['--set', `gateway.autoscaling.max=${most}`],
          ...['--set', `gateway.resources.requests.cpu=${requestedCpu}`],
        ],
      });
      const patch = JSON.stringify({ spec: { behavior: { scaleDown } } });
      await on.kubectl('patch', 'hpa/gateway', '--type=merge', '--patch', patch);
    });
    const operator = await openOperator(stage);
    const partner = await startPartner(stage, on, operator);
    await partner.closedIn(5);
    await scaledTo(on, 2);

    await stage.step('under load there are more gateways', async () => {
      await partner.changeLanes(12, 0);
      await scaledTo(on, most);
      await on.kubectl('get', 'hpa/gateway');
    });
    await stage.step('after it they are as few as before', async () => {
      await partner.changeLanes(1, 1000);
      await scaledTo(on, 2);
      await on.kubectl('get', 'hpa/gateway');
      await on.kubectl('describe', 'hpa/gateway');
      await partner.closedIn(3);
    });

    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

/** Waits until there are so many ready gateways, and no other. */
const scaledTo = async (on: Cluster, count: number): Promise<void> => {
  const path = '-o=jsonpath={.status.replicas} {.status.readyReplicas}';
  await until(
    async () => (await on.look('get', 'deployment/gateway', path)) === `${count} ${count}`,
    { deadlineMs: scaledWithinMs, what: `${count} gateways` },
  );
};
