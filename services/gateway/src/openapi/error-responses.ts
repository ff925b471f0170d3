import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@pto/errors';
import { errorCatalogue, type PublicKind, publicKinds } from '../errors/catalogue.ts';
import { orderPath } from '../resources/orders.ts';
import type { Route } from '../routes/route.ts';
import { anyObject, openEnum, responseOnly } from '../validation/response-only.ts';
import { described, list, model, optional } from '../validation/schema.ts';
import { string } from '../validation/texts.ts';
import { headersOf } from './headers.ts';
import type { Components } from './schemas.ts';

/**
 * Returns every error kind of an operation: those of all operations, those that follow from its
 * schemas and scope, and those that its row lists. METHOD_NOT_ALLOWED is not included, because a
 * 405 belongs to no operation.
 */
export const rejectionsOf = (route: RejectingRoute): readonly PublicKind[] => [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'API_KEY_WRONG_ENVIRONMENT',
  'CLIENT_ADDRESS_NOT_ALLOWED',
  'ORGANIZATION_NOT_ENABLED',
  ...(route.scope === null ? [] : (['INSUFFICIENT_SCOPE'] as const)),
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  ...(route.schemas.body ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
  ...(Object.keys(route.schemas).length > 0 ? (['VALIDATION'] as const) : []),
  ...(route.schemas.path ? (['NOT_FOUND'] as const) : []),
  ...(route.rejections ?? []),
  ...(route.idempotent ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
];

/** Returns the error responses of an operation, by status. Shared responses are references. */
export const errorResponses = (
  route: RejectingRoute,
  components: Components,
  errorsUrl: string,
) => {
  const shared = responsesOf(usual, components, errorsUrl);
  const responses = Object.entries(responsesOf(route, components, errorsUrl));
  return Object.fromEntries(
    responses.map(([status, response]) => [
      status,
      isDeepStrictEqual(response, shared[status])
        ? { $ref: `#/components/responses/${nameOf(status)}` }
        : response,
    ]),
  );
};

/** Returns the error responses that most operations share, by name. */
export const usualResponses = (components: Components, errorsUrl: string) =>
  Object.fromEntries(
    Object.entries(responsesOf(usual, components, errorsUrl)).map(([status, response]) => [
      nameOf(status),
      response,
    ]),
  );

/** Returns one example for each code that an operation of the table can respond with, by code. */
export const errorExamples = (table: readonly RejectingRoute[]) =>
  Object.fromEntries(
    [...new Set([usual, ...table].flatMap(rejectionsOf))].map((code) => [code, errorExample(code)]),
  );

type RejectingRoute = Pick<Route, 'scope' | 'schemas' | 'idempotent' | 'rejections'>;

/**
 * The typical operation: it needs a scope, has an id in its path and a body, and lists no errors of
 * its own. Its error responses are shared.
 */
const usual: RejectingRoute = {
  scope: 'orders:write',
  schemas: { path: orderPath, body: orderPath },
};

const nameOf = (status: string): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

const responsesOf = (route: RejectingRoute, components: Components, errorsUrl: string) =>
  Object.fromEntries(
    [...Map.groupBy(rejectionsOf(route), (kind) => kinds[kind].http)].map(([status, codes]) => {
      const links = codes.map((code) => `[${code}](${errorsUrl}#${code})`);
      const retry = codes.includes('IDEMPOTENCY_IN_PROGRESS') ? (['Retry-After'] as const) : [];
      const response = {
        description: `${STATUS_CODES[status]}. Codes: ${links.join(', ')}.`,
        // a 408 is sent before the request reaches the handlers that add headers
        ...(status !== 408 && { headers: headersOf(status, retry) }),
        content: {
          'application/json': {
            schema: schemaOf(codes, components),
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      };
      return [status, response];
    }),
  );

/**
 * Returns one schema for all codes of a response, so that generators make one type of it. The
 * description lists the codes.
 */
const schemaOf = (codes: readonly PublicKind[], components: Components) => {
  const forms = [
    ...(codes.includes('VALIDATION') ? [components.reference(validationError.json)] : []),
    ...(codes.some((code) => code !== 'VALIDATION') ? [components.reference(envelope.json)] : []),
  ];
  return forms.length === 1 ? forms[0]! : { anyOf: forms };
};

/** Returns the Example Object of an error code: the body of a response with this code. */
const errorExample = (code: PublicKind) => {
  const { meaning, details } = errorCatalogue[code];
  return {
    summary: meaning,
    value:
      code === 'VALIDATION'
        ? validationExample
        : { error: { code, message: meaning, ...(details && { details }) } },
  };
};

const validationExample = {
  detail: [
    {
      type: 'uuid_parsing',
      loc: ['path', 'order_id'],
      msg: 'Input should be a valid UUID, expected 32 hexadecimal digits',
      input: 'four',
      ctx: { error: 'expected 32 hexadecimal digits' },
    },
  ],
};

const errorCode = openEnum(
  'ErrorCode',
  publicKinds.filter((kind) => kind !== 'VALIDATION'),
  'Stable code of an error: decide by it.',
);

/** The body of an error response (contract 7). `details` is present for codes that have details. */
const envelope = model('ApiError', {
  error: model('ApiErrorBody', {
    code: errorCode,
    message: described(string(), 'Explanation for people; its wording may change.'),
    details: described(optional(anyObject()), 'Facts of this error; its members depend on `code`.'),
  }),
});

/** The body of a 422 response (contract 2.6), in the words of pydantic (decision 1). */
const validationError = model('ValidationError', {
  detail: list(
    model('ValidationErrorEntry', {
      loc: described(
        list(responseOnly<string | number>({ type: ['string', 'integer'] })),
        'Path of the value: `body`, `query`, `path` or `header` first.',
      ),
      msg: described(string(), 'Explanation for people.'),
      type: described(string(), 'Kind of the error, in the vocabulary of pydantic.'),
      input: described(optional(responseOnly({})), 'The value that was rejected.'),
      ctx: described(optional(anyObject()), 'Values of the rule that was violated.'),
    }),
  ),
});
