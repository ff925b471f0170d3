import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { settled } from '../../../e2e/local-stack.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { consumerFaults } from './consumer-faults.ts';
import { databaseFaults } from './database-faults.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { openEgressProxy } from './egress-proxy.ts';
import { outsideFaults } from './outside-faults.ts';
import { partitionFault } from './partition-fault.ts';
import { processFaults } from './process-faults.ts';
import { findInLog } from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';
import { factor } from './shortened-rules.ts';
import { watchStack } from './watch-stack.ts';
import { openWitnesses } from './witnesses.ts';

const deadlineMs = 100_000;
const rules = new URL('../../monitoring/rules/', import.meta.url).pathname;

/** The witnesses are wrong from the start of the stack on. */
const fromTheStart: AlertFault = {
  what: 'one witness does not respond, one states another log',
  alerts: ['WitnessBehind', 'WitnessContradicts'],
  begin: async () => () => {},
  follow: async (scene) => {
    await findInLog(scene, 'WitnessBehind', 'custody-0', 'a witness did not cosign');
    await findInLog(scene, 'WitnessContradicts', 'custody-0', 'a witness contradicts the log');
  },
};

const faults: readonly AlertFault[] = [
  fromTheStart,
  ...outsideFaults,
  ...deliveryFaults, // the first one while the deliveries that it leaves are queued
  partitionFault,
  ...processFaults,
  ...consumerFaults,
  ...databaseFaults, // the last two leave a ledger that contradicts itself
];

/** Returns the names of all alerts of the rules. */
const allAlerts = (): Set<string> => {
  const texts = readdirSync(rules).map((name) => readFileSync(`${rules}${name}`, 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/- alert: (\w+)/g)].map(([, one]) => one!)),
  );
};

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
    const begun = performance.now();
    const { fired } = await stage.step('Prometheus and Alertmanager', () =>
      watchStack(stage, stack),
    );
    const scene: AlertScene = { stage, stack, receiver, partners, operator, proxy };
    const starts = new Map([[fromTheStart, begun]]);
    const rows: string[] = [];
    const missed: string[] = [];
    const failed = (what: string) => (error: Error) => {
      stage.note(`  ${what} failed: ${error.message}`);
      missed.push(what);
    };
    for (const fault of faults.filter(({ prepare }) => prepare))
      await stage.step(`before all others: ${fault.what}`, async () => {
        starts.set(fault, performance.now());
        await fault.prepare!(scene).catch(failed(fault.what));
        await settled(stack);
      });
    let seen = 0;
    for (const fault of faults)
      await stage.step(fault.what, async () => {
        const { alerts, begin, follow } = fault;
        if (!starts.has(fault)) starts.set(fault, performance.now());
        const end = await begin(scene).catch((error: Error) => {
          failed(fault.what)(error);
          return () => {};
        });
        const waiting = () => alerts.filter((name) => !fired.some(({ alert }) => alert === name));
        await until(() => waiting().length === 0, { deadlineMs, what: `${alerts}` }).catch(() =>
          missed.push(...waiting()),
        );
        for (const one of fired.slice(seen)) {
          // an alert may fire during another fault than its own, which had begun before
          const own = [...starts.keys()].find((known) => known.alerts.includes(one.alert));
          const seconds = ((one.at - starts.get(own ?? fault)!) / 1000).toFixed(1);
          rows.push(`| ${one.alert} (${one.severity}) | ${(own ?? fault).what} | ${seconds} |`);
          stage.note(`  ${rows.at(-1)}`);
        }
        seen = fired.length;
        if (waiting().length > 0) stage.note(`  did not fire: ${waiting()}`);
        await follow?.(scene).catch(failed(`the runbooks of ${alerts}`));
        await Promise.resolve(end()).catch(failed(`the end of "${fault.what}"`));
        await settled(stack).catch(() => stage.note('  not every process is ready again'));
      });
    stage.note(`\n  all times of the rules are divided by ${factor}\n`);
    for (const row of ['| Alert | Fault | Seconds |', '|---|---|---|', ...rows]) stage.note(row);
    const never = [...allAlerts()].filter((name) => !fired.some(({ alert }) => alert === name));
    stage.note(`\n  not fired: ${never.sort().join(', ')}`);
    assert.deepEqual(missed, [], 'each fault fires its alerts, and their runbooks name its cause');
    await partners.stop();
  },
};
