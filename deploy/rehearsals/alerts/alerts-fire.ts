import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { settled } from '../../../e2e/local-stack.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { databaseFaults } from './database-faults.ts';
import { openEgressProxy } from './egress-proxy.ts';
import { outsideFaults } from './outside-faults.ts';
import { processFaults } from './process-faults.ts';
import { type Fired, openMonitoring } from './prometheus.ts';
import type { AlertFault } from './scene.ts';
import { factor } from './shortened-rules.ts';
import { openWitnesses } from './witnesses.ts';

const deadlineMs = 100_000;
const rules = new URL('../../monitoring/rules/', import.meta.url).pathname;

/** The witnesses are wrong from the start of the stack on. */
const fromTheStart: AlertFault = {
  what: 'one witness does not respond, one states another log',
  alerts: ['WitnessBehind', 'WitnessContradicts'],
  begin: async () => () => {},
};

const faults: readonly AlertFault[] = [
  fromTheStart,
  ...outsideFaults,
  ...processFaults,
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
      openMonitoring(stage, stack),
    );
    const rows: string[] = [];
    const missed: string[] = [];
    let seen = 0;
    for (const { what, alerts, begin } of faults)
      await stage.step(what, async () => {
        const start = alerts === fromTheStart.alerts ? begun : performance.now();
        const end = await begin({ stage, stack, receiver, partners, operator, proxy });
        const waiting = () => alerts.filter((name) => !fired.some(({ alert }) => alert === name));
        await until(() => waiting().length === 0, { deadlineMs, what: `${alerts}` }).catch(() =>
          missed.push(...waiting()),
        );
        await end();
        const secondsOf = ({ at }: Fired) => ((at - start) / 1000).toFixed(1);
        for (const one of fired.slice(seen)) {
          rows.push(`| ${one.alert} (${one.severity}) | ${what} | ${secondsOf(one)} |`);
          stage.note(`  ${rows.at(-1)}`);
        }
        if (waiting().length > 0) stage.note(`  did not fire: ${waiting()}`);
        seen = fired.length;
        await settled(stack).catch(() => stage.note('  not every process is ready again'));
      });
    stage.note(`\n  all times of the rules are divided by ${factor}\n`);
    for (const row of ['| Alert | Fault | Seconds |', '|---|---|---|', ...rows]) stage.note(row);
    const never = [...allAlerts()].filter((name) => !fired.some(({ alert }) => alert === name));
    stage.note(`\n  not fired: ${never.sort().join(', ')}`);
    assert.deepEqual(missed, [], 'each fault fires its alerts');
  },
};
