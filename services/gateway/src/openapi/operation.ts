import { STATUS_CODES } from 'node:http';
import { idempotencyHeader, type Route } from '../routes/route.ts';
import { isOptional, type JsonSchema } from '../validation/schema.ts';
import { codeSamples } from './code-samples.ts';
import { errorResponses } from './error-responses.ts';
import { exampleOf, responseExamples } from './examples.ts';
import { headersOf } from './headers.ts';
import type { Components } from './schemas.ts';

/** Returns the Operation Object of a row of the table. */
export const operationOf = (route: Route, components: Components, errorsUrl: string) => {
  const { name, summary, scope, schemas, deprecated } = route;
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary,
    description: [route.description, scopeSentence(scope)].filter(Boolean).join('\n\n'),
    ...(scope !== null && { 'x-required-scope': scope }),
    ...(deprecated && { deprecated: true }),
    parameters: parametersOf(route, components),
    ...(schemas.body && {
      requestBody: {
        required: !route.optionalBody,
        content: { 'application/json': withExample(requestSchema(schemas.body.json), components) },
      },
    }),
    'x-codeSamples': codeSamples(route),
    responses: {
      [`${route.success}`]: successOf(route, components),
      ...errorResponses(route, components, errorsUrl),
    },
  };
};

/** Returns the operation's tag: the first segment of the path, capitalized. */
export const tagOf = ({ path }: Pick<Route, 'path'>): string => {
  const first = path.split('/')[1] ?? '';
  return first.charAt(0).toUpperCase() + first.slice(1);
};

const scopeSentence = (scope: Route['scope']): string =>
  scope === null ? 'Required scope: none, any valid key.' : `Required scope: \`${scope}\`.`;

const parametersOf = ({ schemas, idempotent }: Route, components: Components) => {
  const fields = { ...(idempotent && idempotencyHeader.fields), ...schemas.header?.fields };
  const places = { ...schemas, header: { fields } };
  return (['path', 'query', 'header'] as const).flatMap((place) =>
    Object.entries(places[place]?.fields ?? {}).map(([name, field]) => {
      const { description, ...json } = field.json;
      return {
        name,
        in: place,
        required: !isOptional(field),
        description,
        schema: components.reference(json),
      };
    }),
  );
};

const successOf = (route: Route, components: Components) => {
  const { success, response, file } = route;
  return {
    description:
      response || file ? `${STATUS_CODES[success]}` : 'Success; the response has no body.',
    headers: headersOf(success, [
      ...(route.idempotent ? (['Idempotency-Replayed'] as const) : []),
      ...(route.responseHeaders ?? []),
      ...(file ? (['Content-Disposition', 'X-Content-Type-Options'] as const) : []),
    ]),
    ...(response && {
      content: {
        'application/json': withExample(response.json, components, responseExamples[route.name]),
      },
    }),
    ...(file && {
      content: Object.fromEntries(
        file.map((type) => [
          type,
          {
            schema: /\+json$/.test(type)
              ? { type: 'object' }
              : { type: 'string', format: 'binary' },
          },
        ]),
      ),
    }),
  };
};

const withExample = (json: JsonSchema, components: Components, example = exampleOf(json)) => ({
  schema: components.reference(json),
  example,
});

/**
 * Returns the schema of a request body. It states each default in the description instead of in
 * `default`, because generators of clients make a member with a default a required one.
 */
export const requestSchema = (json: JsonSchema): JsonSchema => {
  const { default: fallback, description, ...rest } = mapped(json);
  if (fallback === undefined) return description === undefined ? rest : { ...rest, description };
  const stated = [description, `Default: \`${JSON.stringify(fallback)}\`.`]
    .filter(Boolean)
    .join(' ');
  // a named schema is shared, so the default is stated beside the reference to it
  return typeof rest.title === 'string'
    ? { allOf: [rest], description: stated }
    : { ...rest, description: stated };
};

const mapped = (json: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, within(value)]));

const within = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(within);
  return typeof value === 'object' && value !== null ? requestSchema(value as JsonSchema) : value;
};
