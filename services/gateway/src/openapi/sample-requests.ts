import type { Route } from '../routes/route.ts';
import { exampleOf } from './examples.ts';

/** The request that the code samples of an operation send in every language. */
export interface SampleRequest {
  readonly method: string;
  /**
   * Returns path and query, relative to the base URL of the API.
   * @param variable returns the expression for an environment variable in the sample's language.
   */
  pathWith(variable: (name: string) => string): string;
  readonly hasParameters: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly hasResponse: boolean;
}

/** Query strings by operation id. */
const queries: Readonly<Record<string, string>> = {
  listOrders: '?updated_since=2026-03-01T00:00:00Z&limit=50',
  listDeliveries: '?state=EXHAUSTED',
};

/** Request headers by operation id. */
const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createOrder: { 'Idempotency-Key': 'LAB-2026-000417' },
  createWebhook: { 'Idempotency-Key': 'endpoint-1' },
};

export const sampleRequest = ({ name, method, path, schemas, response }: Route): SampleRequest => ({
  method,
  // `order_id` comes from the variable ORDER_ID, as in all samples of the documentation
  pathWith: (variable) =>
    path.replace(/:(\w+)/g, (_, parameter: string) => variable(parameter.toUpperCase())) +
    (queries[name] ?? ''),
  hasParameters: path.includes(':'),
  headers: {
    ...(schemas.body && { 'Content-Type': 'application/json' }),
    ...headers[name],
  },
  body: schemas.body && exampleOf(schemas.body.json),
  hasResponse: response !== undefined,
});
