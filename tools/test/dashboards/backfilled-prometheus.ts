/** A real Prometheus that has an hour of every series that the dashboards select. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@pto/testing';
import { type Selected, selected } from '../../../e2e/test/monitoring.ts';

/** Whether this machine has Prometheus and promtool. */
export const hasPrometheus = ['prometheus', 'promtool'].every(
  (name) => !spawnSync(name, ['--version']).error,
);

/** The end of the hour, in seconds since 1970. */
export const hourEnd = 1_800_000_000;
const stepSeconds = 15;

/** Returns a value that the matcher accepts. */
const valueFor = ({ op, value }: Selected['matchers'][number]): string => {
  if (op === '=') return value;
  if (op !== '=~') throw new Error(`no value for ${op}${value}`);
  const wanted = new RegExp(`^(?:${value.replace('$namespace', '.*')})$`);
  const found = ['partner-api', '200', '500', 'INTERNAL', 'busy'].find((one) => wanted.test(one));
  if (found === undefined) throw new Error(`no value for ${op}${value}`);
  return found;
};

/** Returns the series of a selector, as text of OpenMetrics without a value. */
const seriesOf = ({ metric, labels, matchers }: Selected): string[] => {
  const values = new Map(labels.map((label) => [label, label === 'status' ? '200' : 'some']));
  for (const matcher of matchers) values.set(matcher.label, valueFor(matcher));
  const bounds = metric.endsWith('_bucket') ? ['0.1', '1.0', '+Inf'] : [undefined];
  return bounds.map((bound) => {
    if (bound !== undefined) values.set('le', bound);
    return `${metric}{${[...values].map(([label, value]) => `${label}="${value}"`).join(',')}}`;
  });
};

/** @returns its address and what stops it. */
export const startBackfilled = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-dashboards-'));
  const names = [
    ...new Set(
      selected()
        .filter(({ where }) => where.startsWith('panel '))
        .flatMap(seriesOf),
    ),
  ].sort();
  const steps = Array.from({ length: 3600 / stepSeconds + 1 }, (_, n) => n);
  const samples = names.flatMap((name) =>
    steps.map((n) => `${name} ${n} ${hourEnd - 3600 + n * stepSeconds}`),
  );
  writeFileSync(join(dir, 'samples.txt'), `${samples.join('\n')}\n# EOF\n`);
  execFileSync('promtool', [
    ...['tsdb', 'create-blocks-from', 'openmetrics'],
    ...[join(dir, 'samples.txt'), join(dir, 'data')],
  ]);
  writeFileSync(join(dir, 'prometheus.yaml'), '{}');
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(dir, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/-/ready`)).ok, { what: 'Prometheus' });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
