/** Types of the TypeScript client: what openapi-typescript makes of the schemas and queries. */
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { document } from '../openapi/gateway-document.ts';

/** The operations whose query parameters the client's methods take as they are. */
const queried: readonly unknown[] = ['listOrders', 'listEvents', 'listDeliveries', 'listRequests'];

/** The schemas, and the query parameters of lists: the client states paths and errors itself. */
const withoutResponses = (): object => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, { get }]) =>
      queried.includes(get?.operationId) ? [[path, { get: { ...get, responses: {} } }]] : [],
    ),
  ),
  webhooks: undefined,
  components: { schemas: document.components.schemas },
});

/** @returns the text of `clients/typescript/src/generated/schema.ts`. */
export const typescriptTypes = async (): Promise<string> =>
  COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(withoutResponses())));
