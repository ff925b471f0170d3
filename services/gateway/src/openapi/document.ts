import type { Route } from '../routes/route.ts';
import { basePath, routeTable } from '../routes/table.ts';
import { errorExamples, usualResponses } from './error-responses.ts';
import { webhooksOf, webhookTag } from './events.ts';
import { headersIn } from './headers.ts';
import { operationOf, tagOf } from './operation.ts';
import { createComponents } from './schemas.ts';

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
  all: readonly Route[],
  { baseUrl = '', supportUrl = '', supportEmail = '' }: Installation = {},
) => {
  const components = createComponents();
  // what the page of a link reads is between the console and the gateway
  const table = all.filter(({ linksOnly }) => !linksOnly);
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
      headers: headersIn(table),
      responses: usualResponses(components, errorsUrl),
      examples: errorExamples(table),
      schemas: components.all(),
    },
  };
};

/**
 * Returns the document of this source, without the addresses of an installation. `openapi/v1.json`,
 * the reference of the site and the clients are generated from it. No handler is called, so no
 * service is needed.
 */
export const sourceDocument = () => openapiDocument(routeTable({} as never, 'sandbox'));

export type OpenapiDocument = ReturnType<typeof openapiDocument>;

/** `info.description` of the document, in CommonMark. */
export const about = (errorsUrl: string): string =>
  `Create, track and cancel medical transport orders, read their hash-chained custody history, and receive every change by signed webhooks.

- **Authentication**: every operation requires a bearer API key. The operator sets the scopes of a key when it is issued.
- **Times** are ISO 8601. A time without an offset is UTC. Responses always have the form \`YYYY-MM-DDTHH:mm:ss.sssZ\`.
- **Compatibility**: v1 changes only by addition. Responses, webhook payloads and enumerations may get new members and values: ignore members and accept values that you do not know. A removal is announced 12 months ahead by the headers \`Deprecation\` and \`Sunset\`. Unknown members of a request are ignored.
- **Errors** have the form \`{error: {code, message, details}}\`. Decide by \`code\`. A request that fails validation gets 422 with the array \`detail\`. [All error codes](${errorsUrl}).
- **Methods**: HEAD is supported wherever GET is. An unsupported method gets 405 with \`Allow\`, an unknown path 404; without a valid key both get 401.
- **Rate limits**: 600 reads (GET, HEAD) and 60 writes per minute and key over any 60 s, unless the operator set other limits. Within these limits no request is rejected for its size or for others that run: an organization's requests take turns, and only the 65th that waits is rejected. Requests rejected with 403, 404 of a path, or 405 have a limit of 120 per minute. Beyond a limit the response is 429 with \`Retry-After\`.
- **Code samples** read the base URL of the API from the environment variable \`API\` and the key from \`KEY\`. They need only Node 22.18 or newer, or Python 3.
- **Malformed HTTP**, or more than 16 KiB of headers, gets 400 or 431 without a body.`;

/** Tag descriptions by the tag's name. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Ping: 'Check an API key.',
  Orders: 'Transport orders and their custody history.',
  Events: 'The events of all orders in one order, without a webhook endpoint.',
  Locations: 'Saved pickup and drop-off addresses.',
  Sandbox: 'Move orders in the sandbox. Production does not have these operations.',
  Webhooks: 'Webhook endpoints, their deliveries and their signing secrets.',
  'Webhook events': 'Requests that the service sends to a webhook endpoint.',
};
