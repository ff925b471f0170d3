/** Queries of Prometheus' HTTP API. */

const timeoutMs = 30_000;

/** One series of a response, with its points in the order of their times. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly Point[];
}

export interface Point {
  /** Seconds since 1970. */
  readonly time: number;
  readonly value: number;
}

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

type Sample = readonly [number, string];

interface Answer {
  readonly status: 'success' | 'error';
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Record<string, string>;
      readonly values?: readonly Sample[];
      readonly value?: Sample;
    }[];
  };
}

/**
 * Returns the series of a query over a range. Points that are no finite number are left out.
 * @throws Error with the reason of Prometheus.
 */
export const queryRange = (
  baseUrl: string,
  query: string,
  { start, end, step }: Range,
): Promise<Series[]> =>
  request(baseUrl, 'query_range', { query, start: `${start}`, end: `${end}`, step: `${step}` });

/** Returns the series of a query at one time, each with one point, as `queryRange` does. */
export const queryAt = (baseUrl: string, query: string, time: number): Promise<Series[]> =>
  request(baseUrl, 'query', { query, time: `${time}` });

const request = async (
  baseUrl: string,
  path: string,
  parameters: Record<string, string>,
): Promise<Series[]> => {
  const url = new URL(`api/v1/${path}`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(parameters),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json().catch(() => ({ status: 'error' }))) as Answer;
  if (answer.status !== 'success' || !answer.data)
    throw new Error(answer.error ?? `Prometheus responded with status ${response.status}`);
  return answer.data.result.map(({ metric, value, values = value ? [value] : [] }) => ({
    labels: metric,
    points: values
      .map(([time, text]) => ({ time, value: Number(text) }))
      .filter((point) => Number.isFinite(point.value)),
  }));
};
