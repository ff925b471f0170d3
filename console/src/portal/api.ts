/** Requests to the partners' API, which the console's server sends with the session's key. */
import { ApiError } from '../calls/failure.ts';
import { setEnvironment } from '../parts/environment.ts';
import { t } from '../parts/words.ts';
import { noteBudget } from './pace.ts';

const timeoutMs = 15_000;

interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string };
  readonly detail?: readonly { readonly loc: readonly unknown[]; readonly msg: string }[];
  /** Of the console's own server. */
  readonly message?: string;
}

const errorOf = async (response: Response): Promise<ApiError> => {
  const body: ErrorBody = await response.json().catch(() => ({}));
  const { error, detail: [first] = [], message } = body;
  const requestId = response.headers.get('x-request-id') ?? '';
  if (error) return new ApiError(response.status, error.code, error.message, requestId);
  if (first)
    return new ApiError(response.status, 'VALIDATION', `${first.loc.join('.')}: ${first.msg}`);
  return new ApiError(response.status, '', message ?? `HTTP ${response.status}`, requestId);
};

const noSuchPart = 'The address of this page has a wrong part. Open the page from the menu.';

const send = async (path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => {
      throw new ApiError(undefined, '', '');
    },
  );
  if (init.method === undefined) noteBudget(response);
  if (response.ok) return response;
  const error = await errorOf(response);
  // a page reads again, and says so; a command is repeated by the person
  if (init.method !== undefined) throw error;
  // only the page's address has values that a person can have changed
  throw error.code === 'VALIDATION'
    ? new ApiError(response.status, 'NOT_FOUND', t(noSuchPart))
    : error;
};

/** Reads by a GET. @param query members that are undefined or empty are not sent. */
export const read = async <T>(
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<T> => {
  const given = Object.entries(query).filter(([, value]) => value);
  const search = new URLSearchParams(given as [string, string][]);
  return (await send(`/api${path}${given.length > 0 ? `?${search}` : ''}`, {})).json();
};

/** Reads a file by a GET. */
export const readFile = async (path: string): Promise<Blob> =>
  (await send(`/api${path}`, {})).blob();

/**
 * Sends a command. @returns the response's body, or undefined if it has none.
 * @param id an `Idempotency-Key`, for a command that takes one.
 */
export const command = async <T>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  id?: string,
): Promise<T> => {
  const response = await send(`/api${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(id && { 'idempotency-key': id }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.status === 204 ? (undefined as T) : response.json();
};

/** What the session permits, as PortalSessionService/GetSession returns it. */
export interface Session {
  readonly organization: string;
  readonly environment?: string;
  readonly session: {
    readonly scopes?: readonly string[];
    readonly readOnly?: boolean;
    readonly endpointId?: string;
    /** The key with which the session ends. */
    readonly parentId?: string;
    readonly expiresAt: string;
  };
}

export const readSession = async (): Promise<Session> => {
  const session: Session = await (await send('/session', {})).json();
  setEnvironment(session.environment);
  return session;
};

/** Returns a nonce for the exchange of a code, 32 random bytes in base64url. */
export const newNonce = (): string => {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
};

/**
 * Opens the session of a link.
 * @param nonce names the exchange: with the same one it is repeated if its answer was lost.
 * @throws ApiError with what to do next.
 */
export const openSession = async (code: string, nonce: string): Promise<void> => {
  await send('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, nonce }),
  });
};

/** Ends the session, and begins with the first page again. */
export const endSession = async (): Promise<void> => {
  await send('/session', { method: 'DELETE' });
  location.assign('/');
};
