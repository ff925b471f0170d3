/** A partner's side of the API: HTTP and nothing else. */
import type { LocalStack } from './local-stack.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

export const orderBody = (more: object = {}) => ({
  pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: [{ goods_type: 'blood' }],
  ...more,
});

const requestMaxMs = 30_000;

/** Speaks with one key; `gateway` picks a replica. */
export const partner = (stack: LocalStack, key?: string) => {
  const bearer = key ?? stack.file().organizations[0]!.keys.all;
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    gateway = 0,
  ): Promise<Answer> => {
    const url = `${stack.file().gateways[gateway]}/api/partner/v1${path}`;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestMaxMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      // a file has none
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null,
    };
  };
  return {
    call,
    get: (path: string, gateway = 0) => call('GET', path, undefined, {}, gateway),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}, gateway = 0) =>
      call('POST', path, body, headers, gateway),
  };
};
