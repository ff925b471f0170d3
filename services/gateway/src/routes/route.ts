import type { Scope } from '@pto/access';
import type { Credentials } from '../admission/key-lookup.ts';
import type { CellCall } from '../backends.ts';
import type { PublicKind } from '../errors/catalogue.ts';
import type { PartnerResponse } from '../http/respond.ts';
import { described, type Model, optional, parameters, type Schema } from '../validation/schema.ts';
import { string } from '../validation/texts.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schemas of a request's parts. A part without a schema is not validated. */
export interface RequestSchemas<Path = unknown, Query = unknown, Body = unknown, Header = unknown> {
  readonly path?: Model<Path>;
  readonly query?: Model<Query>;
  readonly body?: Model<Body>;
  /** Headers besides the idempotency key. */
  readonly header?: Model<Header>;
}

/** The header with the idempotency key (contract 4.2; decision 22). */
export const idempotencyHeader = parameters({
  'Idempotency-Key': described(
    optional(string({ min: 1, max: 255, pattern: /^[\x21-\x7e]+$/ })),
    'Any unique value, such as a UUID; stored for 24 hours. Use a new key for each order, location or endpoint.',
  ),
});

/** A request that has passed all checks of the gateway. */
export interface PartnerRequest<Path, Query, Body, Header = unknown> {
  readonly organizationId: string;
  readonly credentials: Credentials;
  /** Returns the API key itself, or the session's secret; for the service that decides by it. */
  readonly secret: () => string;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly header: Header;
  /** The key of an `idempotent` operation's request, with the hash of its body; absent: no key. */
  readonly idempotency:
    | { readonly idempotencyKey: string; readonly bodySha256: Uint8Array }
    | undefined;
  /** Returns the media type that the request's `Accept` prefers; undefined: none of these. */
  readonly accepts: (types: readonly string[]) => string | undefined;
  /** Options of the handler's RPCs. */
  readonly call: CellCall;
  /** Options of an RPC that only reads: it ends when the partner has disconnected. */
  readonly read: ReadOptions;
  /**
   * Waits without the slot of the organization (admission/waits.ts). Returns new options for reads, with a
   * deadline after the wait; null: respond with what there was before the wait.
   * @throws Failure if the key may no longer read.
   */
  readonly wait: (until: (signal: AbortSignal) => Promise<boolean>) => Promise<ReadOptions | null>;
}

export interface ReadOptions extends CellCall {
  readonly signal: AbortSignal;
}

/** Announces the end of an operation, at least 12 months ahead (decision 50). */
export interface Deprecation {
  /** Time from which the operation is deprecated. */
  readonly since: Date;
  /** Time from which the operation no longer responds. */
  readonly sunset: Date;
}

/** One operation, a row of `routeTable`. Router, authorization and documents are made from it. */
export interface Route {
  /** Unique name; also the operation's id in documents. */
  readonly name: string;
  readonly method: Method;
  /** Path relative to the base path, with parameters as `:name`. */
  readonly path: string;
  /** Required scope; null: any valid key (decision 19). */
  readonly scope: Scope | null;
  readonly schemas: RequestSchemas;
  /** Set if a session of the portal must not call it, whatever its scopes (decision 69). */
  readonly keysOnly?: true;
  /** Set if only a link for one order may call it (decision 86). */
  readonly linksOnly?: true;
  /** Set if a request may have no body; `null` and `{}` are the same. */
  readonly optionalBody?: true;
  /** Set if the operation accepts an `Idempotency-Key` (decisions 22 to 26). */
  readonly idempotent?: true;
  readonly success: 200 | 201 | 204;
  /** Schema of the JSON in a successful response; absent if it has none. */
  readonly response?: Schema<unknown> | undefined;
  /** Media types of the file in a successful response; absent if it has none. */
  readonly file?: readonly string[];
  /**
   * Error kinds of this operation, in addition to those of all operations
   * (src/openapi/error-responses.ts).
   */
  readonly rejections?: readonly PublicKind[];
  /**
   * The lane of the operation if it does not depend on the body: `list` if the response may be
   * large, `rows` if it lists rows that are smaller than orders, `receiver` if it waits for a
   * partner's receiver; or a function of the query (decision 66).
   */
  readonly lane?: 'list' | 'rows' | 'receiver' | ((query: URLSearchParams) => 'light' | 'list');
  /** The member whose text may be large, and the maximum size of the body with it (decision 76). */
  readonly large?: { readonly member: string; readonly bodyMaxBytes: number };
  /** Maximum duration of the operation after it has its slot, response included; default 10 s. */
  readonly deadlineMs?: number;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** Further explanation for partners, in CommonMark. */
  readonly description?: string;
  /** Set when the end of the operation is announced (decision 50). */
  readonly deprecated?: Deprecation;
  /** Headers that only this operation's successful response has. */
  readonly responseHeaders?: readonly 'X-Sandbox-Courier'[];
  handle(request: PartnerRequest<unknown, unknown, unknown>): Promise<PartnerResponse>;
}

interface Row<P, Q, B, R, H> extends Omit<Route, 'schemas' | 'success' | 'response' | 'handle'> {
  /** Default: 200. */
  readonly success?: Route['success'];
  readonly schemas?: RequestSchemas<P, Q, B, H>;
  readonly response?: Schema<R>;
  readonly handle: (request: PartnerRequest<P, Q, B, H>) => Promise<PartnerResponse<NoInfer<R>>>;
}

/**
 * Defines an operation. Its handler receives the types of its schemas and must return the type of
 * its response.
 */
export const route = <P = undefined, Q = undefined, B = undefined, R = never, H = undefined>(
  row: Row<P, Q, B, R, H>,
): Route => ({
  success: 200,
  ...row,
  schemas: row.schemas ?? {},
  handle: row.handle as unknown as Route['handle'],
});
