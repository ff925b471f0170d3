import type { Scope } from '@pto/access';
import type { Credentials } from '../authentication/key-lookup.ts';
import type { PublicKind } from '../errors/catalogue.ts';
import type { PartnerResponse } from '../http/respond.ts';
import type { Schema } from '../validation/schema.ts';
import type { RequestSchemas } from './read-request.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A request that has passed all checks of the gateway. */
export interface PartnerRequest<Path, Query, Header, Body> {
  readonly organizationId: string;
  readonly credentials: Credentials;
  readonly path: Path;
  readonly query: Query;
  readonly header: Header;
  readonly body: Body;
  /** The body as JSON before its schema was applied; `bytes` is the unparsed body. */
  readonly json: unknown;
  readonly bytes: Uint8Array;
  /** Options of the handler's RPCs: their deadline, as a time of `performance.now()`. */
  readonly call: { readonly deadline: number };
  /** Options of an RPC that only reads: it ends when the partner has disconnected. */
  readonly read: { readonly deadline: number; readonly signal: AbortSignal };
}

/** Announces the end of an operation, at least 12 months ahead (decision 50). */
export interface Deprecation {
  /** Time from which the operation is deprecated. */
  readonly since: Date;
  /** Time from which the operation no longer responds. */
  readonly sunset: Date;
  /** URL of the page that describes the replacement. */
  readonly link: string;
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
  readonly success: 200 | 201 | 204;
  /** Schema of the JSON in a successful response; absent if it has no body. */
  readonly response?: Schema<unknown> | undefined;
  /**
   * Error kinds of this operation, in addition to those of all operations
   * (src/openapi/error-responses.ts).
   */
  readonly rejections?: readonly PublicKind[];
  /**
   * The lane of the operation if it does not depend on the body: `list` if the response may be
   * large, `receiver` if it waits for a partner's receiver (decision 66).
   */
  readonly lane?: 'list' | 'receiver';
  /** Maximum duration of the operation after it has its slot, response included; default 10 s. */
  readonly deadlineMs?: number;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** Further explanation for partners, in CommonMark. */
  readonly description?: string;
  /** Set when the end of the operation is announced (decision 50). */
  readonly deprecated?: Deprecation;
  handle(request: PartnerRequest<unknown, unknown, unknown, unknown>): Promise<PartnerResponse>;
}

interface Row<P, Q, H, B, R> extends Omit<Route, 'schemas' | 'success' | 'response' | 'handle'> {
  /** Default: 200. */
  readonly success?: Route['success'];
  readonly schemas?: RequestSchemas<P, Q, H, B>;
  readonly response?: Schema<R>;
  readonly handle: (request: PartnerRequest<P, Q, H, B>) => Promise<PartnerResponse<NoInfer<R>>>;
}

/**
 * Defines an operation. Its handler receives the types of its schemas and must return the type of
 * its response.
 */
export const route = <P = undefined, Q = undefined, H = undefined, B = undefined, R = never>(
  row: Row<P, Q, H, B, R>,
): Route => ({
  success: 200,
  ...row,
  schemas: row.schemas ?? {},
  handle: row.handle as unknown as Route['handle'],
});
