import type { Scope } from '../access/scopes.ts';
import type { Credentials } from '../authentication/credentials.ts';
import type { PublicKind } from '../errors/catalogue.ts';
import type { PartnerResponse } from '../http/sending/partner-response.ts';
import type { Shape } from '../responses/shape.ts';
import type { Model } from '../validation/index.ts';
import type { Deprecation } from './deprecation.ts';
import type { RequestSchemas } from './read-request.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A request that has passed every check that needs no other service. */
export interface PartnerRequest<Path, Query, Header, Body> {
  readonly credentials: Credentials;
  readonly path: Path;
  readonly query: Query;
  readonly header: Header;
  readonly body: Body;
  /** The body as JSON, before the schema made something of it, and its bytes. */
  readonly json: unknown;
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch; for the RPCs that answer it. */
  readonly deadline: number;
  /** Aborted when the partner has gone; for reads. */
  readonly signal: AbortSignal;
}

/** One operation: the row from which the router, the authorization and the documents are read. */
export interface Route {
  /** Unique; also the operation's id in documents. */
  readonly name: string;
  readonly method: Method;
  /** Relative to the base path, parameters as `:name`. */
  readonly path: string;
  /** Null: any valid key (decision 19). */
  readonly scope: Scope | null;
  readonly schemas: RequestSchemas;
  readonly success: 200 | 201 | 204;
  /** The JSON of that answer; absent where it has no body. */
  readonly response?: Shape<unknown> | undefined;
  /** Errors of this operation, beside those of all operations (src/openapi/error-responses.ts). */
  readonly rejections?: readonly PublicKind[];
  /** How long the whole of it may take; 10 s unless told. */
  readonly deadlineMs?: number;
  /** One line for documents. */
  readonly summary: string;
  /** What a partner should know besides, in CommonMark. */
  readonly description?: string;
  /** Set when it is announced that the operation will go (decision 50). */
  readonly deprecated?: Deprecation;
  handle(request: PartnerRequest<unknown, unknown, unknown, unknown>): Promise<PartnerResponse>;
}

type Part<T> = Model<T> | undefined;

interface Row<P, Q, H, B, R> extends Omit<Route, 'schemas' | 'response' | 'handle'> {
  readonly schemas?: {
    readonly path?: Part<P>;
    readonly query?: Part<Q>;
    readonly header?: Part<H>;
    readonly body?: Part<B>;
  };
  readonly response?: Shape<R>;
  readonly handle: (request: PartnerRequest<P, Q, H, B>) => Promise<PartnerResponse<NoInfer<R>>>;
}

/** A row whose handler gets what its own schemas give, and gives what its response shows. */
export const route = <P = undefined, Q = undefined, H = undefined, B = undefined, R = never>(
  row: Row<P, Q, H, B, R>,
): Route => ({
  ...row,
  schemas: (row.schemas ?? {}) as RequestSchemas,
  handle: row.handle as unknown as Route['handle'],
});
