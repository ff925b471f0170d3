import { STATUS_CODES } from 'node:http';
import { kinds } from '@pto/errors';
import { errorCatalogue, type PublicKind } from '../errors/catalogue.ts';
import { envelope, validationError } from '../resources/errors.ts';
import { orderPath } from '../resources/orders.ts';
import type { Route } from '../routes/route.ts';
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
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
];

/** Returns the error responses of an operation, by status. Shared responses are references. */
export const errorResponses = (route: Route, components: Components, errorsUrl: string) =>
  Object.fromEntries(
    byStatus(route).map(([status, codes]) => [
      `${status}`,
      isUsual(route, status, codes)
        ? { $ref: `#/components/responses/${nameOf(status)}` }
        : responseOf(route, status, codes, components, errorsUrl),
    ]),
  );

/** Returns the error responses that most operations share, by name. */
export const usualResponses = (components: Components, errorsUrl: string) =>
  Object.fromEntries(
    byStatus(usual).map(([status, codes]) => [
      nameOf(status),
      responseOf(usual, status, codes, components, errorsUrl),
    ]),
  );

/** Returns one example for each code that an operation of the table can respond with, by code. */
export const errorExamples = (table: readonly RejectingRoute[]) =>
  Object.fromEntries(
    [...new Set([usual, ...table].flatMap(rejectionsOf))].map((code) => [code, errorExample(code)]),
  );

/**
 * The typical operation: it needs a scope, has an id in its path and a body, and lists no errors of
 * its own. Its error responses are shared.
 */
const usual = {
  scope: 'orders:write',
  schemas: { path: orderPath, body: orderPath },
} as const satisfies Partial<Route>;
type RejectingRoute = Pick<Route, 'scope' | 'schemas' | 'rejections' | 'deprecated'>;

const byStatus = (route: RejectingRoute) =>
  [...Map.groupBy(rejectionsOf(route), (kind) => kinds[kind].http)].toSorted(([a], [b]) => a - b);

const isUsual = (route: RejectingRoute, status: number, codes: readonly PublicKind[]): boolean =>
  !route.deprecated &&
  byStatus(usual).some(([of, shared]) => of === status && `${shared}` === `${codes}`);

const nameOf = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

const responseOf = (
  route: RejectingRoute,
  status: number,
  codes: readonly PublicKind[],
  components: Components,
  errorsUrl: string,
) => {
  const links = codes.map((code) => `[${code}](${errorsUrl}#${code})`);
  return {
    description: `${STATUS_CODES[status]}. Codes: ${links.join(', ')}.`,
    // a 408 is sent before the request reaches the handlers that add headers
    ...(status !== 408 && { headers: headersOf(status, route, retryHeader(codes)) }),
    content: {
      'application/json': {
        schema: schemaOf(codes, components),
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
};

const retryHeader = (codes: readonly PublicKind[]) =>
  codes.includes('IDEMPOTENCY_IN_PROGRESS') ? (['Retry-After'] as const) : [];

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
export const errorExample = (code: PublicKind) => {
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
