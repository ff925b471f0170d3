/** Types of the TypeScript client: what openapi-typescript makes of the requests and successes. */
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { document } from '../openapi/gateway-document.ts';

const methods = new Set(['get', 'post', 'patch', 'delete']);

/** The document with its 2xx responses alone: the client has error classes of its own. */
const withoutErrors = (): unknown => {
  const copy = JSON.parse(JSON.stringify(document));
  for (const operations of Object.values<Record<string, Operation>>(copy.paths))
    for (const [method, operation] of Object.entries(operations))
      if (methods.has(method)) operation.responses = successes(operation.responses);
  copy.webhooks = undefined;
  copy.components = { schemas: copy.components.schemas };
  return copy;
};

interface Operation {
  responses: Record<string, { headers?: unknown; content?: Record<string, Media> }>;
}

interface Media {
  schema: unknown;
}

const successes = (responses: Operation['responses']): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { headers, content, ...response }]) => [
        status,
        { ...response, ...(content && { content: withoutExamples(content) }) },
      ]),
  );

const withoutExamples = (content: Record<string, Media>): Record<string, Media> =>
  Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));

/** @returns the text of `clients/typescript/src/generated/schema.ts`. */
export const typescriptTypes = async (): Promise<string> =>
  COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(withoutErrors())));
