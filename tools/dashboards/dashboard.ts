/** The dashboards of `deploy/monitoring`, as far as they are drawn without Grafana. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../deploy/monitoring/dashboards/', import.meta.url);

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  /** Whether the panel shows the value at the end alone. */
  readonly instant?: boolean;
}

export interface ThresholdStep {
  readonly color: 'green' | 'orange' | 'red';
  /** Lower bound of the step; null for the first one. */
  readonly value: number | null;
}

export interface Panel {
  readonly id: number;
  readonly type: 'stat' | 'timeseries';
  readonly title: string;
  readonly description: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly fieldConfig: {
    readonly defaults: {
      readonly unit: string;
      readonly decimals?: number;
      readonly thresholds?: { readonly steps: readonly ThresholdStep[] };
    };
  };
  readonly targets: readonly Target[];
}

export interface Dashboard {
  /** Name of the file, without `.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly panels: readonly Panel[];
}

/** Returns all dashboards, by the names of their files. */
export const readDashboards = (): Dashboard[] =>
  readdirSync(folder)
    .sort()
    .map((file) => ({
      ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Dashboard, 'name'>),
      name: file.replace(/\.json$/, ''),
    }));

export interface Variables {
  /** Regular expression of the namespaces; `.*` is all, as in Grafana. */
  readonly namespace: string;
  readonly stepSeconds: number;
  readonly scrapeSeconds: number;
}

/**
 * Returns the query of a target as Grafana sends it. `$__rate_interval` is the larger one of four
 * scrapes, and a step and a scrape.
 */
export const queryOf = (
  expr: string,
  { namespace, stepSeconds, scrapeSeconds }: Variables,
): string => {
  const rateSeconds = Math.max(4 * scrapeSeconds, stepSeconds + scrapeSeconds);
  return expr
    .replaceAll('$namespace', namespace.replaceAll(/["\\]/g, '\\$&'))
    .replaceAll('$__rate_interval', `${rateSeconds}s`);
};

/** Returns the name of a series: the format with the values of its labels. */
export const nameOf = (format: string, labels: Readonly<Record<string, string>>): string =>
  format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => labels[label] ?? '').trim();
