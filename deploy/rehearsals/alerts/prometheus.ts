/** Prometheus with the rules of `deploy/monitoring`, and Alertmanager, which notifies this process. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { shortenRules } from './shortened-rules.ts';

/** How often Prometheus scrapes the processes. */
export const scrapeSeconds = 2;

const rules = new URL('../../monitoring/rules/', import.meta.url).pathname;

/** An alert of which Alertmanager has sent a notification. */
export interface Fired {
  readonly alert: string;
  readonly severity: string;
  /** Time of `performance.now()`. */
  readonly at: number;
}

interface Notification {
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved';
    readonly labels: Readonly<Record<string, string>>;
  }[];
}

interface Counted {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

/**
 * @returns the notifications so far, the first one of each alert and severity, and the address of
 * Prometheus.
 */
export const openMonitoring = async (stage: Stage, stack: LocalStack) => {
  const fired: Fired[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      for (const { status, labels } of (JSON.parse(text) as Notification).alerts) {
        const { alertname: alert = '', severity = '' } = labels;
        const known = fired.some((one) => one.alert === alert && one.severity === severity);
        if (status === 'firing' && !known) fired.push({ alert, severity, at: performance.now() });
      }
      response.end();
    });
  });
  const [receiverPort = 0, managerPort = 0, prometheusPort = 0] = await freePorts(3);
  await new Promise<void>((resolve) => receiver.listen(receiverPort, '127.0.0.1', resolve));
  stage.atEnd(() => void receiver.close());
  const home = join(stage.folder, 'monitoring');
  mkdirSync(join(home, 'rules'), { recursive: true });
  for (const name of readdirSync(rules))
    writeFileSync(join(home, 'rules', name), shortenRules(readFileSync(join(rules, name), 'utf8')));
  const targets = stack.file().services.map(({ metricsUrl }) => new URL(metricsUrl).host);
  writeFileSync(
    join(home, 'alertmanager.yaml'),
    JSON.stringify({
      route: {
        receiver: 'rehearsal',
        group_by: ['...'],
        ...{ group_wait: '0s', group_interval: '1s', repeat_interval: '1h' },
      },
      receivers: [
        { name: 'rehearsal', webhook_configs: [{ url: `http://127.0.0.1:${receiverPort}` }] },
      ],
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
      scrape_configs: [
        { job_name: 'partner-api', honor_labels: true, static_configs: [{ targets }] },
      ],
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
  // an alert on an increase needs a sample from before the fault
  const scraped = `http://127.0.0.1:${prometheusPort}/api/v1/query?query=count(up==1)`;
  await until(
    async () => {
      const { data } = (await (await fetch(scraped)).json()) as Counted;
      return Number(data.result[0]?.value[1]) === targets.length;
    },
    { what: 'a scrape of each process' },
  );
  return {
    fired: fired as readonly Fired[],
    prometheusUrl: `http://127.0.0.1:${prometheusPort}`,
  };
};
