import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { settled } from '../../../e2e/local-stack.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Expected, requireInactive, untilFired, untilResolved } from './alert-watch.ts';
import { consumerFaults } from './consumer-faults.ts';
import { databaseFaults } from './database-faults.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { openEgressProxy } from './egress-proxy.ts';
import { completeLogs, type Logs, logsFromNow } from './logs.ts';
import { outsideFaults } from './outside-faults.ts';
import { partitionFault } from './partition-fault.ts';
import { processFaults } from './process-faults.ts';
import { findInLog } from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';
import { factor } from './shortened-rules.ts';
import { watchStack } from './watch-stack.ts';
import { openWitnesses } from './witnesses.ts';

const deadlineMs = 100_000;
const atRestWithinMs = 120_000;
const rules = new URL('../../monitoring/rules/', import.meta.url).pathname;

/** The witnesses are wrong from the start of the stack on. */
const fromTheStart: AlertFault = {
  what: 'one witness does not respond, one states another log',
  alerts: [{ alert: 'WitnessBehind' }, { alert: 'WitnessContradicts' }],
  begin: async () => () => {},
  follow: async (scene) => {
    await findInLog(scene, 'WitnessBehind', 'custody-0', 'a witness did not cosign');
    await findInLog(scene, 'WitnessContradicts', 'custody-0', 'a witness contradicts the log');
  },
};

/** Alerts that need a cluster, and the one that `clock-skew` fires: README.md names them, too. */
const firedElsewhere = [
  'ClockSkew',
  'ContainerCrashLoops',
  'GatewayUnavailable',
  'ReplicasMissing',
  'RolloutStalled',
];

const faults: readonly AlertFault[] = [
  fromTheStart,
  ...outsideFaults,
  ...deliveryFaults, // the first one while the deliveries that it leaves are queued
  partitionFault,
  ...processFaults,
  ...consumerFaults,
  ...databaseFaults, // the last two leave a ledger that contradicts itself
];

/** Returns the names of all alerts of the rules, a name as often as it has rules. */
const allAlerts = (): string[] =>
  readdirSync(rules)
    .map((name) => readFileSync(`${rules}${name}`, 'utf8'))
    .flatMap((text) => [...text.matchAll(/- alert: (\w+)/g)].map(([, one]) => one!));

const textOf = ({ alert, labels }: Expected): string =>
  labels ? `${alert} ${JSON.stringify(labels)}` : alert;

/** When a fault began, and what the logs got since. */
interface Begun {
  readonly at: number;
  readonly logs: Logs;
}

/** Each fault fires its alerts by Prometheus and Alertmanager, over a stack under load. */
export const alertsFire: Rehearsal = {
  name: 'alerts-fire',
  summary: 'real faults fire the alerts of the charts; a table of the seconds until each',
  run: async (stage) => {
    const proxy = await openEgressProxy(stage);
    const witnesses = await openWitnesses(stage);
    const stack = await stage.step('the services', () =>
      openStack(stage, {
        env: {
          CUSTODY_WITNESSES: witnesses,
          // the bound of an address counts from half of all connections on
          GATEWAY_CONNECTIONS: '400',
          GATEWAY_CONNECTIONS_PER_ADDRESS: '200',
          GATEWAY_REQUESTS_IN_FLIGHT: '32',
          TLS_RELOAD: '500ms',
          WEBHOOKS_BROKEN_FAILURES: '5',
          WEBHOOKS_BROKEN_MIN_AGE: '1s',
          WEBHOOKS_EGRESS_PROXY: proxy.url,
        },
      }),
    );
    const operator = operatorOf(stage, stack);
    const { receiver, partners } = await underLoad(stage, stack);
    await closedIn(partners, 2);
    const begins = new Map<AlertFault, Begun>([
      [fromTheStart, { at: performance.now(), logs: completeLogs(stack) }],
    ]);
    const monitoring = await stage.step('Prometheus and Alertmanager', () =>
      watchStack(stage, stack),
    );
    await stage.step('at rest no alert is pending but those of the witnesses', async () => {
      const expected = fromTheStart.alerts.map(({ alert }) => alert);
      await until(() => requireInactive(monitoring, allAlerts(), expected).then(() => true), {
        deadlineMs: atRestWithinMs,
        what: 'no alert to be pending',
      });
      const others = monitoring.fired.filter(({ alert }) => !expected.includes(alert));
      assert.deepEqual(others, [], 'no alert has fired without a fault');
    });
    const followed = new Set<string>();
    const logs = completeLogs(stack);
    const scene: AlertScene = {
      ...{ stage, stack, receiver, partners, operator, proxy, monitoring, logs, followed },
    };
    const rows: string[] = [];
    const missed: string[] = [];
    const failed = (what: string) => (error: Error) => {
      stage.note(`  ${what} failed: ${error.message}`);
      missed.push(what);
    };
    const start = (fault: AlertFault): void =>
      void begins.set(fault, { at: performance.now(), logs: logsFromNow(stack) });
    for (const fault of faults.filter(({ prepare }) => prepare))
      await stage.step(`before all others: ${fault.what}`, async () => {
        start(fault);
        await fault.prepare!(scene).catch(failed(fault.what));
        await settled(stack);
      });
    let seen = 0;
    for (const fault of faults)
      await stage.step(fault.what, async () => {
        const { alerts, begin, follow } = fault;
        if (!begins.has(fault)) {
          // an alert that still fires would not be notified of again
          await untilResolved(monitoring, alerts).catch(({ message }) =>
            stage.note(`  ${message}`),
          );
          start(fault);
        }
        const begun = begins.get(fault)!;
        const onFault = { ...scene, logs: begun.logs };
        const end = await begin(onFault).catch((error: Error) => {
          failed(fault.what)(error);
          return () => {};
        });
        await Promise.all(
          alerts.map((one) =>
            untilFired(monitoring, one, begun.at, deadlineMs).catch(failed(textOf(one))),
          ),
        );
        const noted = new Set<string>();
        for (const { alert, status, labels, at } of monitoring.notices.slice(seen)) {
          if (status !== 'firing') continue;
          const name = `${alert} (${labels.severity})`;
          if (noted.has(name)) continue;
          noted.add(name);
          // an alert may fire during another fault than its own, which had begun before
          const known = [fault, ...begins.keys()].find((one) =>
            one.alerts.some((expected) => expected.alert === alert),
          );
          const cause = known ?? fault;
          const seconds = ((at - begins.get(cause)!.at) / 1000).toFixed(1);
          rows.push(`| ${name} | ${cause.what} | ${seconds} |`);
          stage.note(`  ${rows.at(-1)}`);
        }
        seen = monitoring.notices.length;
        const pages = [...new Set(alerts.map(({ alert }) => alert))];
        await follow(onFault).catch(failed(`the runbooks of ${pages}`));
        await Promise.resolve(end()).catch(failed(`the end of "${fault.what}"`));
        await settled(stack).catch(() => stage.note('  not every process is ready again'));
      });
    stage.note(`\n  all times of the rules are divided by ${factor}\n`);
    for (const row of ['| Alert | Fault | Seconds |', '|---|---|---|', ...rows]) stage.note(row);
    assert.deepEqual(missed, [], 'each fault fires its alerts, and their runbooks name its cause');
    const names = [...new Set(allAlerts())].sort();
    const never = names.filter((name) => !monitoring.fired.some(({ alert }) => alert === name));
    assert.deepEqual(never, firedElsewhere, 'only these alerts have not fired');
    assert.deepEqual(
      names.filter((name) => !followed.has(name)),
      firedElsewhere,
      'the runbook of each other alert was followed',
    );
    await partners.stop();
  },
};
