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

interface Answer {
  readonly status: 'success' | 'error';
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Record<string, string>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

/**
 * Returns the series of a query over a range. Points that are no finite number are left out.
 * @throws Error with the reason of Prometheus.
 */
export const queryRange = async (
  baseUrl: string,
  query: string,
  { start, end, step }: Range,
): Promise<Series[]> => {
  const url = new URL('api/v1/query_range', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const body = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}` });
  const response = await fetch(url, {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = (await response.json().catch(() => ({ status: 'error' }))) as Answer;
  if (answer.status !== 'success' || !answer.data)
    throw new Error(answer.error ?? `Prometheus responded with status ${response.status}`);
  return answer.data.result.map(({ metric, values }) => ({
    labels: metric,
    points: values
      .map(([time, value]) => ({ time, value: Number(value) }))
      .filter(({ value }) => Number.isFinite(value)),
  }));
};
