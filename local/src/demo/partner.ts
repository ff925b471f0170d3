/** The public API as a partner calls it. */
export interface Partner {
  /**
   * Sends a request and returns the response's JSON.
   * @throws Error with the status and the body if the response is not a success.
   */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

const withinMs = 20_000;

export const partner = (baseUrl: string, key: string, signal: AbortSignal): Partner => ({
  call: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  },
});
