import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { requireInactive, untilAllResolved, untilFired } from '../alerts/alert-watch.ts';
import { openMonitoring } from '../alerts/prometheus.ts';
import { factor } from '../alerts/shortened-rules.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import type { ClusterFault, ClusterScene } from './alert-scene.ts';
import { namespace, openCluster } from './cluster.ts';
import { clusterRules } from './cluster-rules.ts';
import { containerFaults } from './container-faults.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { openOperator } from './operator.ts';
import { openPages } from './pages.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { replicaFaults, roomForTwo } from './replica-faults.ts';
import { rolloutFault } from './rollout-fault.ts';
import { openStateMetrics } from './state-metrics.ts';
import { openStores } from './stores.ts';

const alerts = ['GatewayUnavailable', 'ReplicasMissing', 'RolloutStalled', 'ContainerCrashLoops'];
const deployments = 'gateway|operators|orders|custody|webhooks|auditor|courier|console';
const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);

/** Real faults of a release fire the alerts that kube-state-metrics is needed for. */
export const clusterAlerts: Rehearsal = {
  name: 'cluster-alerts',
  summary:
    'missing replicas, crash loops, a stalled rollout and an absent gateway fire their alerts',
  run: async (stage) => {
    const on = await openCluster(stage);
    const target = await stage.step('kube-state-metrics', () => openStateMetrics(on, stage));
    const values = await roomForTwo(on);
    const upgrade: ClusterScene['upgrade'] = (choice) => {
      const { wait = true, values: more = {}, settings = [] } = choice;
      return upgradeRelease(on, stage, {
        ...choice,
        values: { ...values, ...more },
        settings: [...settings, ...(wait ? [] : ['--wait=false', '--no-hooks'])],
      });
    };
    await stage.step('the release', async () => {
      await openStores(on, stage);
      await upgrade({});
    });
    const follow = await openPages(on, stage);
    const upgradeInVain: ClusterScene['upgradeInVain'] = (setting) => {
      const stop = new AbortController();
      stage.atEnd(() => stop.abort());
      const settings = ['--set', setting, '--timeout', '15m'];
      const ended = upgrade({ settings, interrupt: stop.signal }).then(
        () => 'upgraded',
        (error: Error) => error.message,
      );
      return async () => {
        assert.equal(await Promise.race([ended, 'waits']), 'waits', 'Helm waits for the pods');
        stop.abort();
        stage.note('  Ctrl-C');
        assert.match(await ended, /cancel|interrupt/i);
      };
    };
    const scene: ClusterScene = { on, stage, follow, upgrade, upgradeInVain };
    const monitoring = await stage.step('Prometheus and Alertmanager', () =>
      openMonitoring(stage, {
        job: 'kube-state-metrics',
        targets: [target],
        rules: { 'cluster.yaml': clusterRules() },
      }),
    );

    await stage.step('no alert is pending while all processes are ready', async () => {
      const ours = `{namespace="${namespace}",deployment=~"${deployments}"}`;
      const missing = `kube_deployment_spec_replicas${ours} > kube_deployment_status_replicas_available`;
      await until(
        async () =>
          (await monitoring.query(`kube_deployment_spec_replicas${ours}`)).length ===
            deployments.split('|').length && (await monitoring.query(missing)).length === 0,
        { deadlineMs: 120_000, what: 'each Deployment with all replicas' },
      );
      await requireInactive(monitoring, alerts);
    });

    const rows: string[] = [];
    const run = (fault: ClusterFault) =>
      stage.step(fault.what, async () => {
        const begun = performance.now();
        const end = await fault.begin(scene);
        const fired = [];
        for (const one of fault.alerts) fired.push(await untilFired(monitoring, one, begun));
        const others = monitoring.notices.filter(
          ({ alert, status, at }) =>
            status === 'firing' && at >= begun && !fault.alerts.some((one) => one.alert === alert),
        );
        assert.deepEqual(others, [], 'no other alert fires');
        await end(fired[0]!);
        const removed = performance.now();
        const resolved = await untilAllResolved(monitoring);
        for (const { alert, labels, at } of fired)
          rows.push(
            `| ${fault.what} | ${alert} (${labels.severity}) | ${seconds(begun, at)} | ${seconds(removed, Math.max(removed, resolved))} |`,
          );
        for (const row of rows.slice(-fired.length)) stage.note(`  ${row}`);
        await requireInactive(monitoring, alerts);
      });
    // while no gateway is ready each request fails, so the partner starts afterwards
    for (const fault of gatewayFaults) await run(fault);
    const partner = await startPartner(stage, on, await openOperator(stage));
    await partner.closedIn(5);
    for (const fault of [...containerFaults, ...replicaFaults, rolloutFault]) {
      await run(fault);
      await partner.closedIn(3);
    }
    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
    stage.note(`\n  all times of the rules are divided by ${factor}\n`);
    for (const row of ['| Fault | Alert | Seconds | Resolved |', '|---|---|---|---|', ...rows])
      stage.note(row);
    assert.equal(new Set(monitoring.fired.map(({ alert }) => alert)).size, alerts.length);
  },
};
