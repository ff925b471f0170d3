import { createHash } from 'node:crypto';
import { inCodings } from '@pto/lifecycle';
import type { Request } from 'express';

/** A route that needs no key. */
export interface PublicRoute {
  /** Matches the complete path; `read` receives the named groups of the match. */
  readonly path: RegExp;
  /** The path with parameter names in place of values, for logs and metrics. */
  readonly name: string;
  /** Returns the resource. @throws Failure NOT_FOUND */
  read(
    groups: Readonly<Record<string, string | undefined>>,
  ): Promise<PublicResource> | PublicResource;
}

/** A public resource: its media type, its bytes without a content coding, and its headers. */
export interface PublicResource {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Default: five minutes, so that clients see a new release soon. */
  readonly cacheControl?: string;
  /** The Content-Security-Policy of a page. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The `Cache-Control` of a resource whose bytes never change. */
export const forever = 'public, max-age=31536000, immutable';

/** Returns the Content-Security-Policy of a page that loads and sends only what is stated. */
export const pagePolicy = (allowed: string): string =>
  `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const compressible = /^(?:text\/|application\/json)/;

/**
 * The codings of resources, each computed once and freed with its resource. Memory is bounded: at most
 * three times the size of the public resources.
 */
const known = new WeakMap<PublicResource, Coder>();
type Coder = ReturnType<typeof coderOf>;

const coderOf = ({ contentType, bytes }: PublicResource) => ({
  hash: createHash('sha256').update(bytes).digest('base64url'),
  coded: compressible.test(contentType)
    ? inCodings(bytes)
    : async () => ({ bytes, coding: undefined, headers: {} }),
});

/** Returns the resource in the best coding that the request accepts, with the headers of its bytes. */
export const representationFor = async (
  request: Pick<Request, 'acceptsEncodings'>,
  resource: PublicResource,
) => {
  const { hash, coded } = known.get(resource) ?? coderOf(resource);
  known.set(resource, { hash, coded });
  const { bytes, coding, headers } = await coded(request);
  // a strong tag identifies exact bytes, so each coding has its own (RFC 9110, 8.8.3)
  return { bytes, headers: { ...headers, ETag: coding ? `"${hash}-${coding}"` : `"${hash}"` } };
};

/**
 * Returns whether `If-None-Match` lists the tag (RFC 9110, 13.1.2: by weak comparison). Express's
 * `fresh` ignores the header beside `Cache-Control: no-cache`, which `fetch` always adds to it.
 */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
