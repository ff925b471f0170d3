import { ApiError, ConnectionFailedError, NotSentError, TimedOutError } from '../errors.ts';
import { type CallOptions, type ClientOptions, type CreateOptions, limitsOf } from '../options.ts';
import { version } from '../version.ts';
import { platformFetch } from './direct.ts';
import { errorOf } from './error-response.ts';
import { bodyText, checkedBaseUrl, type Operation, pathText } from './operation.ts';
import { attempt, retryDelayMs, wait } from './retry.ts';
import { fileOf, jsonOf, jsonTextOf, pageOf, type Success } from './success.ts';

/** Sends operations with the API key, within their limits. Repeats them if that is safe. */
export class Http {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  /**
   * @throws NotSentError for a wrong option.
   */
  constructor(options: ClientOptions) {
    const { baseUrl, allowInsecure = false, apiKey, userAgent, fetch } = options ?? {};
    this.#baseUrl = checkedBaseUrl(baseUrl, allowInsecure);
    if (typeof apiKey !== 'string' || !visible.test(apiKey))
      throw new NotSentError('apiKey: expected svc_live_… or svc_test_…; is the setting missing?');
    if (
      userAgent &&
      !(typeof userAgent === 'string' && visible.test(userAgent.replaceAll(' ', '')))
    )
      throw new NotSentError('userAgent: expected visible ASCII characters');
    if (fetch !== undefined && typeof fetch !== 'function')
      throw new NotSentError('fetch: expected a function');
    limitsOf(options.limits);
    this.#options = options;
  }

  /**
   * Sends an operation. Returns the parsed body of its response; undefined for the 204 of a DELETE.
   * @throws TransportOrdersError, or the reason of the signal.
   */
  async json<T>(operation: Operation, options: CallOptions = {}): Promise<T> {
    const success = await this.#send(operation, options);
    const isEmpty = success.response.status === 204 && operation.method === 'DELETE';
    return (isEmpty ? undefined : jsonOf(success)) as T;
  }

  /** Reads something, which can be repeated. @throws as `json`. */
  read<T>(path: Operation['path'], options?: CallOptions, query?: Operation['query']): Promise<T> {
    return this.json(readingOf(path, query), options);
  }

  /** Reads a page of a list. @throws as `json`. */
  async page<T>(
    path: Operation['path'],
    options?: CallOptions,
    query?: Operation['query'],
  ): Promise<T> {
    return pageOf(await this.#send(readingOf(path, query), options ?? {})) as T;
  }

  /**
   * Creates something with an idempotency key, which makes the request repeatable.
   * @throws TransportOrdersError, or the reason of the signal.
   */
  create<T>(
    path: Operation['path'],
    body: unknown,
    options: CreateOptions = {},
    headers: NonNullable<Operation['headers']> = {},
  ): Promise<T> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
    const create = { method: 'POST', path, body, idempotencyKey, headers } as const;
    return this.json({ ...create, repeatable: true }, rest);
  }

  /** Sends an operation. Returns the JSON of its response as text. @throws as `json`. */
  async text(operation: Operation, options: CallOptions = {}): Promise<string> {
    return jsonTextOf(await this.#send(operation, options));
  }

  /** Sends an operation. Returns the file of its response. @throws as `json`. */
  async bytes(operation: Operation, options: CallOptions = {}): Promise<Uint8Array> {
    return fileOf(await this.#send(operation, options));
  }

  /** Sends an operation, and repeats it as `retryDelayMs` decides. @throws as `json`. */
  async #send(operation: Operation, options: CallOptions): Promise<Success> {
    const limits = limitsOf(this.#options.limits, options);
    const request = this.#request(operation);
    const { repeatable } = operation;
    const end = performance.now() + limits.totalTimeoutMs;
    for (let attempts = 1; ; attempts++) {
      const remainingMs = end - performance.now();
      try {
        return await this.#attempt(request, {
          timeoutMs: Math.min(limits.attemptTimeoutMs, remainingMs),
          signal: options.signal,
        });
      } catch (error) {
        const failed = failureOf(error);
        const state = { ...limits, attempts, repeatable, remainingMs: end - performance.now() };
        const delayMs = failed && retryDelayMs(failed, state, Math.random());
        if (delayMs === null) throw error;
        await wait(delayMs, options.signal);
      }
    }
  }

  /** Returns the request of all attempts. @throws NotSentError for what HTTP or JSON cannot hold. */
  #request(operation: Operation): SentRequest {
    const { method, path, query, body, idempotencyKey } = operation;
    const { apiKey, userAgent } = this.#options;
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
      throw new NotSentError('idempotencyKey: expected 1 to 255 visible ASCII characters');
    const headers = {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'user-agent': `partner-transport-orders/${version}${userAgent ? ` ${userAgent}` : ''}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...givenHeaders(operation.headers),
    };
    const init = { method, headers, redirect: 'manual' as const };
    return {
      url: `${this.#baseUrl}${pathText(path)}${queryText(query)}`,
      init: body === undefined ? init : { ...init, body: bodyText(body) },
    };
  }

  async #attempt(
    { url, init }: SentRequest,
    limits: { timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Success> {
    const { fetch: send = platformFetch } = this.#options;
    const success = await attempt(send, url, init, limits);
    const { response, body } = success;
    if (!response.ok) throw errorOf(response, new TextDecoder().decode(body));
    return success;
  }
}

const readingOf = (path: Operation['path'], query: Operation['query']): Operation => ({
  ...{ method: 'GET', path, repeatable: true },
  ...(query && { query }),
});

interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
}

const visible = /^[\x21-\x7e]+$/;

/** Returns the given headers. @throws NotSentError for a value that is not one word. */
const givenHeaders = (headers: Operation['headers'] = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (!visible.test(value))
        throw new NotSentError(`${name}: expected visible ASCII characters`);
      return [[name, value]];
    }),
  );

const queryText = (query: Operation['query'] = {}): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    // URLSearchParams would replace a lone surrogate, and ask for another text
    if (!`${value}`.isWellFormed()) throw new NotSentError(`${name}: a lone surrogate is no text`);
    given.append(name, `${value}`);
  }
  return given.size === 0 ? '' : `?${given}`;
};

/** Returns the failed attempt; null if the error is of another kind, such as a signal's reason. */
const failureOf = (error: unknown) => {
  if (error instanceof ApiError) return error;
  const isLost = error instanceof ConnectionFailedError || error instanceof TimedOutError;
  return isLost ? { status: null, code: null, retryAfter: null } : null;
};
