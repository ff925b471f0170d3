import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { Notice } from './notifications.ts';
import type { Monitoring } from './prometheus.ts';

const firedWithinMs = 240_000;
const resolvedWithinMs = 120_000;
const evaluatedWithinMs = 30_000;
const pollMs = 200;

/** An alert with some of its labels. */
export interface Expected {
  readonly alert: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface RuleState {
  readonly name: string;
  readonly state: 'inactive' | 'pending' | 'firing';
  readonly health: string;
  readonly lastEvaluation: string;
}

const isExpected =
  ({ alert, labels = {} }: Expected) =>
  (notice: Notice): boolean =>
    notice.alert === alert &&
    Object.entries(labels).every(([name, value]) => notice.labels[name] === value);

/** Waits until Alertmanager has notified of the alert since the given time of `performance.now()`. */
export const untilFired = (
  { notices }: Monitoring,
  expected: Expected,
  since: number,
  deadlineMs = firedWithinMs,
): Promise<Notice> =>
  until(
    () =>
      notices.find(
        (one) => one.status === 'firing' && one.at >= since && isExpected(expected)(one),
      ),
    { deadlineMs, what: `the alert ${expected.alert}` },
  );

/** Returns the alerts that fire: those whose last notification has not reported their end. */
export const firing = ({ notices }: Monitoring): Notice[] => {
  const last = new Map(notices.map((one) => [JSON.stringify(one.labels), one]));
  return [...last.values()].filter(({ status }) => status === 'firing');
};

/** Waits until none of these alerts fires, so that each can fire again. */
export const untilResolved = (
  monitoring: Monitoring,
  alerts: readonly Expected[],
): Promise<boolean> =>
  until(() => !firing(monitoring).some((one) => alerts.some((alert) => isExpected(alert)(one))), {
    deadlineMs: resolvedWithinMs,
    what: `the end of ${alerts.map(({ alert }) => alert)}`,
  });

/** Waits until Alertmanager has notified of the end of each alert. @returns the time of the last end. */
export const untilAllResolved = async (monitoring: Monitoring): Promise<number> => {
  await until(() => firing(monitoring).length === 0, {
    deadlineMs: resolvedWithinMs,
    what: 'the end of each alert',
  });
  return monitoring.notices.at(-1)!.at;
};

/**
 * Waits until Prometheus has evaluated each rule again.
 * @param alerts names of all rules, a name as often as it has rules.
 * @param active alerts that may be pending or fire.
 * @throws Error if an alert is missing, fails, is pending or fires.
 */
export const requireInactive = async (
  { prometheusUrl }: Monitoring,
  alerts: readonly string[],
  active: readonly string[] = [],
): Promise<void> => {
  const begun = Date.now();
  const rules = await until(
    async () => {
      await sleep(pollMs);
      const response = await fetch(`${prometheusUrl}/api/v1/rules?type=alert`);
      const { data } = (await response.json()) as {
        data: { groups: { rules: RuleState[] }[] };
      };
      const all = data.groups.flatMap((group) => group.rules);
      return all.every((one) => Date.parse(one.lastEvaluation) > begun) ? all : undefined;
    },
    { deadlineMs: evaluatedWithinMs, what: 'an evaluation of each rule' },
  );
  assert.deepEqual(
    rules
      .map(({ name, state, health }) => [name, active.includes(name) ? 'inactive' : state, health])
      .sort(),
    alerts.map((name) => [name, 'inactive', 'ok']).sort(),
  );
};
