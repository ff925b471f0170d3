/** The files of `deploy/monitoring`, as far as the tests read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const repository = new URL('../../../', import.meta.url).pathname;

export const yamlOf = (folder: string): string[] =>
  readdirSync(`${repository}deploy/monitoring/${folder}`).map(
    (name) => `${repository}deploy/monitoring/${folder}/${name}`,
  );

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string; readonly window?: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export const alerts = (): Alert[] =>
  yamlOf('rules')
    .map((file) => parse(readFileSync(file, 'utf8')))
    .flatMap(({ groups }: { groups: { rules: Alert[] }[] }) => groups)
    .flatMap(({ rules }) => rules)
    .filter(({ alert }) => alert !== undefined);

export interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts: readonly { exp_labels: Readonly<Record<string, string>> }[];
}

/** What the unit tests expect. */
export const alertCases = (): AlertCase[] =>
  yamlOf('tests')
    .map((file) => parse(readFileSync(file, 'utf8')))
    .flatMap(({ tests }: { tests: { alert_rule_test: AlertCase[] }[] }) => tests)
    .flatMap(({ alert_rule_test }) => alert_rule_test);
