/** All response headers, each described once (decisions 17, 46, 47; contract 4.2.1). */
const headers = {
  'X-Request-Id': {
    description:
      'Request ID. Quote it to support. A valid `X-Request-Id` from the client is echoed.',
    required: true,
    schema: { type: 'string' },
    example: 'req-2f6d1c9e7a11',
  },
  'X-RateLimit-Limit': {
    description: 'Requests per minute of the limit that this request used: reads or writes.',
    schema: { type: 'integer' },
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'Remaining requests of that limit.',
    schema: { type: 'integer' },
    example: 597,
  },
  'X-RateLimit-Reset': {
    description:
      'When the complete limit is available again, in Unix seconds. Single requests are allowed earlier: see `Retry-After`.',
    schema: { type: 'integer' },
    example: 1_772_438_460,
  },
  'Retry-After': {
    description: 'Seconds to wait, at least 1; after a 429 at most 60.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'Content-Disposition': {
    description: 'A browser saves the file and does not show it.',
    schema: { type: 'string' },
    example: 'attachment; filename="9f86d081884c7d65.png"',
  },
  'X-Content-Type-Options': {
    description: 'A browser takes the file for what `Content-Type` says.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'X-Sandbox-Courier': {
    description:
      '`unavailable`: the order exists, and the courier will not move it; absent otherwise. Sandbox only.',
    schema: { type: 'string', const: 'unavailable' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is an idempotent replay; absent otherwise.',
    schema: { type: 'string', const: 'true' },
  },
} as const;

type HeaderName = keyof typeof headers;

/** Returns the headers of a table's responses. Production has none of the sandbox (decision 64). */
export const headersIn = (
  table: readonly { readonly responseHeaders?: readonly HeaderName[] }[],
): Partial<typeof headers> => {
  const { 'X-Sandbox-Courier': courier, ...all } = headers;
  const isSandbox = table.some((row) => row.responseHeaders?.includes('X-Sandbox-Courier'));
  return isSandbox ? { ...all, 'X-Sandbox-Courier': courier } : all;
};

/**
 * Returns references to the headers of a response with this status.
 * @param more headers that only this response has.
 */
export const headersOf = (status: number, more: readonly HeaderName[] = []) => {
  const names: HeaderName[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  else names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(
    [...names, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
};
