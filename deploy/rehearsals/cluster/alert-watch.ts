import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { Notice } from '../alerts/notifications.ts';
import type { Monitoring } from '../alerts/prometheus.ts';
import type { Expected } from './alert-scene.ts';

const firedWithinMs = 240_000;
const resolvedWithinMs = 120_000;
const evaluatedWithinMs = 30_000;
const pollMs = 200;

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
): Promise<Notice> =>
  until(
    () =>
      notices.find(
        (one) => one.status === 'firing' && one.at >= since && isExpected(expected)(one),
      ),
    { deadlineMs: firedWithinMs, what: `the alert ${expected.alert}` },
  );

/** Waits until Alertmanager has notified of the end of each alert. @returns the time of the last end. */
export const untilAllResolved = async ({ notices }: Monitoring): Promise<number> => {
  const firing = () => {
    const last = new Map(notices.map((one) => [JSON.stringify(one.labels), one]));
    return [...last.values()].filter(({ status }) => status === 'firing');
  };
  await until(() => firing().length === 0, {
    deadlineMs: resolvedWithinMs,
    what: 'the end of each alert',
  });
  return notices.at(-1)!.at;
};

/**
 * Waits until Prometheus has evaluated each rule again.
 * @throws Error if an alert is missing, fails, is pending or fires.
 */
export const requireInactive = async (
  { prometheusUrl }: Monitoring,
  alerts: readonly string[],
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
    rules.map(({ name, state, health }) => [name, state, health]).sort(),
    alerts.map((name) => [name, 'inactive', 'ok']).sort(),
  );
};
