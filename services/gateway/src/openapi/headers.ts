import type { Route } from '../routes/route.ts';

/** The headers of answers, each described once (decisions 17, 46, 47, 50; contract 4.2.1). */
const headers = {
  'X-Request-Id': {
    description: 'Names this exchange; give it to the operator. A sane one of yours is kept.',
    required: true,
    schema: { type: 'string' },
    example: 'req-2f6d1c9e7a11',
  },
  'X-RateLimit-Limit': {
    description: 'Requests per minute, of the budget that this one used: reads or writes.',
    schema: { type: 'integer' },
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'What is left of it.',
    schema: { type: 'integer' },
    example: 597,
  },
  'X-RateLimit-Reset': {
    description:
      'When it is full again, in Unix seconds. Requests are granted earlier: see `Retry-After`.',
    schema: { type: 'integer' },
    example: 1_772_438_460,
  },
  'Retry-After': {
    description: 'Whole seconds to wait, at least 1. After a 429 at most 60.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'Idempotency-Replayed': {
    description: 'There, and `true`, where the answer is the stored one of an earlier request.',
    schema: { type: 'string', const: 'true' },
  },
  Deprecation: {
    description: 'When it was announced that the operation will go: `@` and Unix seconds.',
    required: true,
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'When it will stop to answer, as an HTTP date.',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'Where to read what comes instead.',
    required: true,
    schema: { type: 'string' },
  },
} as const;

type HeaderName = keyof typeof headers;

/** Those that the operations of a table answer with. */
export const headersFor = (table: readonly Route[]) => {
  const { Deprecation, Sunset, Link, ...usual } = headers;
  return table.some((row) => row.deprecated) ? headers : usual;
};

/** References to those of an answer with that status, by what each operation does alike. */
export const headersOf = (
  status: number,
  { deprecated }: Pick<Route, 'deprecated'>,
  more: readonly HeaderName[] = [],
) => {
  const names: HeaderName[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  else names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (status === 429 || status === 503) names.push('Retry-After');
  // a key is asked for before anybody knows which operation is meant
  if (deprecated && status !== 401) names.push('Deprecation', 'Sunset', 'Link');
  return Object.fromEntries(
    [...names, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
};
