import type { Route } from '../routes/route.ts';
import { basePath } from '../routes/table.ts';
import { about, tagDescriptions } from './about.ts';
import { createComponents } from './components.ts';
import { webhooksOf } from './events.ts';
import { headersFor } from './headers.ts';
import { operationOf, tagOf } from './operation.ts';
import { usualResponses } from './refusals.ts';

/** Contract 9. */
const version = '1.0.0';

/**
 * The OpenAPI document of a table of routes.
 * @param baseUrl where partners reach the API, with its path; empty: on the document's own origin.
 */
export const openapiDocument = (table: readonly Route[], baseUrl = '') => {
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
  const tags = [...new Set(table.map(tagOf)), 'Events'];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Partner Transport Orders',
      version,
      summary: 'Medical transports, handed over and proven',
      description: about(errorsUrl),
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl.replace(/\/+$/, '') || basePath, description: 'This environment' }],
    security: [{ apiKey: [] }],
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    // a URL must be absolute here
    ...(baseUrl && { externalDocs: { description: 'All error codes', url: errorsUrl } }),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            '`Authorization: Bearer <API key>`. Keys of `svc_live_` belong to production, keys of `svc_test_` to the sandbox; the operator issues them.',
        },
      },
      headers: headersFor(table),
      responses: usualResponses(components, errorsUrl),
      schemas: components.all(),
    },
  };
};

export type OpenapiDocument = ReturnType<typeof openapiDocument>;
