import type { Route } from '../routes/route.ts';
import { basePath } from '../routes/table.ts';
import { about, tagDescriptions } from './about.ts';
import { createComponents } from './components.ts';
import { errorExamples, usualResponses } from './error-responses.ts';
import { webhooksOf, webhookTag } from './events.ts';
import { headersFor } from './headers.ts';
import { operationOf, tagOf } from './operation.ts';

/** Version of the API (contract 9). */
const version = '1.0.0';

/** The addresses that an installation states in its OpenAPI document. */
export interface Installation {
  /** Base URL of the API, with its path; empty: relative to the origin that serves the document. */
  readonly baseUrl?: string;
  /** Where partners get support, by web and by e-mail; empty: not stated. */
  readonly supportUrl?: string;
  readonly supportEmail?: string;
}

/** Builds the OpenAPI document of a table of routes. */
export const openapiDocument = (
  table: readonly Route[],
  { baseUrl = '', supportUrl = '', supportEmail = '' }: Installation = {},
) => {
  const components = createComponents();
  const root = baseUrl.replace(/\/+$/, '').replace(new RegExp(`${basePath}$`), '');
  const errorsUrl = `${root}/docs/errors`;
  const paths = Object.fromEntries(
    [...Map.groupBy(table, ({ path }) => path)].map(([path, rows]) => [
      path.replace(/:(\w+)/g, '{$1}'),
      Object.fromEntries(
        rows.map((row) => [row.method.toLowerCase(), operationOf(row, components, errorsUrl)]),
      ),
    ]),
  );
  const webhooks = webhooksOf(components);
  const tags = [...new Set(table.map(tagOf)), webhookTag];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Partner Transport Orders',
      version,
      summary: 'Create and track medical transport orders, and verify their chain of custody',
      description: about(errorsUrl),
      contact: {
        name: 'Partner API support',
        ...(supportUrl && { url: supportUrl }),
        ...(supportEmail && { email: supportEmail }),
      },
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl.replace(/\/+$/, '') || basePath, description: 'This environment' }],
    security: [{ apiKey: [] }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    // OpenAPI requires an absolute URL here, so a document without a base URL omits it
    ...(baseUrl && { externalDocs: { description: 'All error codes', url: errorsUrl } }),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            '`Authorization: Bearer <API key>`. Keys with the prefix `svc_live_` are for production, keys with `svc_test_` for the sandbox. The operator issues keys.',
        },
      },
      headers: headersFor(table),
      responses: usualResponses(components, errorsUrl),
      examples: errorExamples(table),
      schemas: components.all(),
    },
  };
};

export type OpenapiDocument = ReturnType<typeof openapiDocument>;
