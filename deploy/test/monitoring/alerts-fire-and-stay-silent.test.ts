import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { alertCases, alerts, yamlOf } from './monitoring.ts';

const promtoolIsHere = spawnSync('promtool', ['--version']).status === 0;
const withPromtool = promtoolIsHere ? test : test.skip;
const skipped = promtoolIsHere ? '' : ' (skipped: promtool is not on the PATH)';

/** Throws with what promtool says, which names the alert. */
const promtool = (...words: string[]): string =>
  execFileSync('promtool', words, { encoding: 'utf8', stdio: 'pipe' });

withPromtool(`promtool finds the rules well-formed${skipped}`, () => {
  expect(promtool('check', 'rules', ...yamlOf('rules'))).toMatch(/SUCCESS/);
});

withPromtool(`promtool sees every alert do what its tests say${skipped}`, () => {
  expect(promtool('test', 'rules', ...yamlOf('tests'))).toMatch(/SUCCESS/);
});

const named = ({ alert, labels }: ReturnType<typeof alerts>[number]) => ({
  alert,
  severity: labels.severity,
  window: labels.window,
});

test.each(alerts().map(named))(
  '$alert ($severity $window) has a test in which it fires, and one without it',
  ({ alert, severity, window }) => {
    const cases = alertCases().filter(({ alertname }) => alertname === alert);
    const fires = cases.map(({ exp_alerts }) =>
      exp_alerts.some(
        ({ exp_labels }) => exp_labels.severity === severity && exp_labels.window === window,
      ),
    );
    expect(new Set(fires)).toEqual(new Set([true, false]));
  },
);
