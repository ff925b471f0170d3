/** Prometheus with rules of this repository, and Alertmanager, which notifies this process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { openReceiver } from './notifications.ts';

/** How often Prometheus scrapes its targets. */
export const scrapeSeconds = 2;

/** What Prometheus scrapes and evaluates. */
export interface Watched {
  readonly job: string;
  /** Host and port of each target. */
  readonly targets: readonly string[];
  /** Texts of files of rules by their names. */
  readonly rules: Readonly<Record<string, string>>;
}

/** A target as the targets' page of Prometheus shows it. */
export interface Target {
  readonly scrapeUrl: string;
  readonly health: 'up' | 'down' | 'unknown';
  readonly lastError: string;
}

/** A series of the result of a query. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/**
 * Starts both, and waits until each target is scraped.
 * @returns the notifications so far, the first one of each alert and severity, the address of
 * Prometheus, and functions that run an instant query and list the targets.
 */
export const openMonitoring = async (stage: Stage, { job, targets, rules }: Watched) => {
  const { url: receiverUrl, fired, notices } = await openReceiver(stage);
  const [managerPort = 0, prometheusPort = 0] = await freePorts(2);
  const home = join(stage.folder, 'monitoring');
  mkdirSync(join(home, 'rules'), { recursive: true });
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(home, 'rules', name), text);
  writeFileSync(
    join(home, 'alertmanager.yaml'),
    JSON.stringify({
      route: {
        receiver: 'rehearsal',
        group_by: ['...'],
        ...{ group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
      },
      receivers: [{ name: 'rehearsal', webhook_configs: [{ url: receiverUrl }] }],
    }),
  );
  writeFileSync(
    join(home, 'prometheus.yaml'),
    JSON.stringify({
      global: {
        scrape_interval: `${scrapeSeconds}s`,
        scrape_timeout: `${scrapeSeconds}s`,
        evaluation_interval: '1s',
      },
      rule_files: [join(home, 'rules', '*.yaml')],
      alerting: {
        alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${managerPort}`] }] }],
      },
      scrape_configs: [{ job_name: job, honor_labels: true, static_configs: [{ targets }] }],
    }),
  );
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const ends = { signal: 'TERM', graceS: 5 } as const;
  await guards.run('alertmanager', {
    command: needProgram('prometheus-alertmanager'),
    args: [
      `--config.file=${join(home, 'alertmanager.yaml')}`,
      `--storage.path=${join(home, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${managerPort}`,
      '--cluster.listen-address=',
    ],
    ...ends,
  });
  await guards.run('prometheus', {
    command: needProgram('prometheus'),
    args: [
      `--config.file=${join(home, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(home, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ],
    ...ends,
  });
  for (const port of [managerPort, prometheusPort])
    await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, {
      what: 'Prometheus and Alertmanager',
    });
  const prometheusUrl = `http://127.0.0.1:${prometheusPort}`;
  const query = async (expression: string): Promise<readonly Series[]> => {
    const url = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { data } = (await (await fetch(url)).json()) as { data: { result: Series[] } };
    return data.result;
  };
  const targetsOf = async (): Promise<readonly Target[]> => {
    const response = await fetch(`${prometheusUrl}/api/v1/targets?state=active`);
    return ((await response.json()) as { data: { activeTargets: Target[] } }).data.activeTargets;
  };
  // an alert on an increase needs a sample from before the fault
  await until(async () => Number((await query('count(up==1)'))[0]?.value[1]) === targets.length, {
    what: 'a scrape of each target',
  });
  return { fired, notices, prometheusUrl, query, targets: targetsOf };
};

export type Monitoring = Awaited<ReturnType<typeof openMonitoring>>;
