import { STATUS_CODES } from 'node:http';
import { kinds } from '@pto/errors';
import { envelope, validationError } from '../answers/refusals.ts';
import { errorCatalogue, type PublicKind } from '../docs/error-catalogue.ts';
import { orderPath } from '../routes/order-schemas.ts';
import type { Route } from '../routes/route.ts';
import type { Components } from './components.ts';
import { headersOf } from './headers.ts';

/**
 * Every kind with which an operation can refuse: what all do alike, by what the row asks of a
 * request, and what the row names itself. A 405 is no operation's: it is how the others answer.
 */
export const refusalsOf = (route: Refusing): readonly PublicKind[] => [
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
  ...(route.refusals ?? []),
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
];

/** The answers of an operation that are refusals, by status. */
export const refusalResponses = (route: Route, components: Components, errorsUrl: string) =>
  Object.fromEntries(
    byStatus(route).map(([status, codes]) => [
      `${status}`,
      isUsual(route, status, codes)
        ? { $ref: `#/components/responses/${nameOf(status)}` }
        : responseOf(route, status, codes, components, errorsUrl),
    ]),
  );

/** Those that most operations have in common, each described once. */
export const usualResponses = (components: Components, errorsUrl: string) =>
  Object.fromEntries(
    byStatus(usual).map(([status, codes]) => [
      nameOf(status),
      responseOf(usual, status, codes, components, errorsUrl),
    ]),
  );

/** An operation that needs a scope, has an id in its path and a body, and no rule of its own. */
const usual = {
  scope: 'orders:write',
  schemas: { path: orderPath, body: orderPath },
} as const satisfies Partial<Route>;
type Refusing = Pick<Route, 'scope' | 'schemas' | 'refusals' | 'deprecated'>;

const byStatus = (route: Refusing) =>
  [...Map.groupBy(refusalsOf(route), (kind) => kinds[kind].http)].toSorted(([a], [b]) => a - b);

const isUsual = (route: Refusing, status: number, codes: readonly PublicKind[]): boolean =>
  !route.deprecated &&
  byStatus(usual).some(([of, theirs]) => of === status && `${theirs}` === `${codes}`);

const nameOf = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

const responseOf = (
  route: Refusing,
  status: number,
  codes: readonly PublicKind[],
  components: Components,
  errorsUrl: string,
) => {
  const links = codes.map((code) => `[${code}](${errorsUrl}#${code})`);
  const description = `${STATUS_CODES[status]}: ${links.join(', ')}`;
  // what never became a whole request is answered by a bare status line
  if (status === 408) return { description };
  return {
    description,
    headers: headersOf(status, route, retryHeader(codes)),
    content: {
      'application/json': {
        schema: schemaOf(codes, components),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
};

const retryHeader = (codes: readonly PublicKind[]) =>
  codes.includes('IDEMPOTENCY_IN_PROGRESS') ? (['Retry-After'] as const) : [];

const schemaOf = (codes: readonly PublicKind[], components: Components) => {
  const inEnvelope = codes.filter((code) => code !== 'VALIDATION');
  const forms = [
    ...(codes.includes('VALIDATION') ? [components.reference(validationError.json)] : []),
    ...(inEnvelope.length > 0 ? [withCodes(inEnvelope, components)] : []),
  ];
  return forms.length === 1 ? forms[0] : { anyOf: forms };
};

const withCodes = (codes: readonly PublicKind[], components: Components) => ({
  allOf: [
    components.reference(envelope.json),
    {
      type: 'object',
      properties: { error: { type: 'object', properties: { code: { enum: codes } } } },
    },
  ],
});

const exampleOf = (code: PublicKind) => {
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
