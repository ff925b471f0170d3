import { cachedFor } from '@pto/concurrency';

/** The objectives of docs/operators/slos.md over 30 days, and the records that measure them. */
export const objectives = [
  { name: 'api_availability', target: 0.999, record: 'api:errors:ratio_rate30d' },
  { name: 'read_latency', target: 0.95, record: 'api:slow_reads:ratio_rate30d' },
  { name: 'write_latency', target: 0.95, record: 'api:slow_writes:ratio_rate30d' },
  { name: 'time_to_webhook', target: 0.95, record: 'webhook:late_first_attempts:ratio_rate30d' },
] as const;

/** An objective of /status.json. */
export interface Objective {
  readonly name: (typeof objectives)[number]['name'];
  /** Share of good events that is the objective, 0 to 1. */
  readonly target: number;
  /** Measured share of the last 30 days; null if it is not known. */
  readonly share: number | null;
}

const readEveryMs = 60_000;
const deadlineMs = 2000;
const responseMaxBytes = 64 * 1024;

/**
 * Returns a function that reads the share of each objective from Prometheus, at most once a minute.
 * It does not reject: a share that cannot be read is null, and no part of an error is shown.
 * @param settings.url empty: no share is known.
 * @param settings.namespace value of the label `namespace`; empty: series with any.
 */
export const openObjectives = (settings: {
  readonly url: string;
  readonly namespace: string;
}): (() => Promise<readonly Objective[]>) => {
  const { url } = settings;
  if (url === '') return async () => objectives.map(withShare(new Map()));
  return cachedFor(readEveryMs, async () => {
    const bad = await readRatios(url, settings.namespace).catch(() => new Map<string, number>());
    return objectives.map(withShare(bad));
  });
};

const withShare =
  (bad: ReadonlyMap<string, number>) =>
  ({ name, target, record }: (typeof objectives)[number]): Objective => {
    const ratio = bad.get(record);
    return { name, target, share: ratio === undefined ? null : 1 - ratio };
  };

/**
 * Returns the share of bad events by record. A record with several series is left out: it is not
 * known which of them is this environment's.
 */
const readRatios = async (url: string, namespace: string): Promise<Map<string, number>> => {
  const records = objectives.map(({ record }) => record).join('|');
  const within = namespace === '' ? '' : `,namespace=${JSON.stringify(namespace)}`;
  const query = new URLSearchParams({ query: `{__name__=~"${records}"${within}}` });
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1/query?${query}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  });
  const { data } = JSON.parse(await readText(response)) as {
    data: { result: { metric: { __name__: string }; value: [number, string] }[] };
  };
  const bySeries = Map.groupBy(data.result, ({ metric }) => metric.__name__);
  return new Map(
    [...bySeries].flatMap(([record, series]) => {
      const ratio = Number(series[0]!.value[1]);
      return series.length === 1 && ratio >= 0 && ratio <= 1 ? [[record, ratio]] : [];
    }),
  );
};

/** @throws Error for another status than 2xx, and for more than `responseMaxBytes`. */
const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > responseMaxBytes) throw new Error('the response of Prometheus is too long');
  }
  if (!response.ok) throw new Error(`Prometheus responded with status ${response.status}`);
  return Buffer.concat(chunks).toString();
};
