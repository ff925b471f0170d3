import { nameOf, type Operation, type Response, reference } from './document.ts';
import { limitsOf, schemaTables, typeText } from './schema-rows.ts';

/** Returns the operations of the document, in its order. */
export const shownOperations = () =>
  Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => shown(path, method, operation)),
  );

/** One operation as the page and the text of the reference show it; descriptions are Markdown. */
const shown = (path: string, method: string, operation: Operation) => {
  const [status, success] = Object.entries(operation.responses).find(([code]) => code < '300')!;
  const { schema, example } = success.content?.['application/json'] ?? {};
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: operation.description,
    parameters: operation.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeText(parameter.schema),
      schema: '',
      isRequired: parameter.required,
      limits: limitsOf(parameter.schema),
      description: parameter.description ?? '',
    })),
    body: schemaTables(operation.requestBody?.content['application/json'].schema),
    /** Of the success. */
    status,
    response: schemaTables(schema),
    /** JSON; empty without a body. */
    example: example === undefined ? '' : JSON.stringify(example, null, 2),
    samples: (operation['x-codeSamples'] ?? []).map(({ lang, label, source }) => ({
      label,
      source,
      /** The language of the sample's code block. */
      fence: fences[lang] ?? 'text',
    })),
    errors: Object.entries(operation.responses).flatMap(([code, error]) =>
      code < '400' ? [] : [{ status: code, description: resolved(error).description }],
    ),
  };
};

export type ShownOperation = ReturnType<typeof shown>;

const fences: Readonly<Record<string, string>> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
};

const resolved = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (reference.components.responses[nameOf(response.$ref)] ?? response);
