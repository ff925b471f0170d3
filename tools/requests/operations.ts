/** The operations of the OpenAPI document, as the request files need them. */
import { document } from '../openapi/gateway-document.ts';

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { name: string; in: string; description?: string }[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
}

/** In the order of the document; `path` has its parameters in braces: `/orders/{order_id}`. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Described>).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters ?? [],
    /** The example of the document; undefined for an operation without a body. */
    body: operation.requestBody?.content['application/json']?.example,
  })),
);
export type RequestOperation = (typeof operations)[number];

/** Names of all path parameters: variables of the files. */
export const pathVariables: readonly string[] = [
  ...new Set(
    operations.flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    ),
  ),
];

export const baseUrlExample = 'https://api.example.com/api/partner/v1';
