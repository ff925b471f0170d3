/** The operations of the OpenAPI document, as the request files need them. */
import { document } from '../openapi/gateway-document.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
}

export interface RequestOperation {
  readonly id: string;
  readonly folder: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  /** With its parameters in braces: `/orders/{order_id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The example of the document; undefined for an operation without a body. */
  readonly body: unknown;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
}

/** In the order of the document. */
export const operations: readonly RequestOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Described>).map(([method, operation]) => ({
      id: operation.operationId,
      folder: operation.tags[0] ?? '',
      summary: operation.summary,
      description: operation.description ?? '',
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.example,
    })),
);

/** Names of all path parameters: variables of the files. */
export const pathVariables: readonly string[] = [
  ...new Set(
    operations.flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    ),
  ),
];

export const baseUrlExample = 'https://api.example.com/api/partner/v1';
