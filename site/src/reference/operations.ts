import { nameOf, type Operation, type Response, reference } from './document.ts';
import {
  limitsOf,
  type SchemaRow,
  type SchemaTable,
  schemaTables,
  typeText,
} from './schema-rows.ts';

/** One operation as the page and the text of the reference show it; descriptions are Markdown. */
export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (SchemaRow & { readonly place: string })[];
  readonly body: readonly SchemaTable[];
  /** Of the success. */
  readonly status: string;
  readonly response: readonly SchemaTable[];
  /** JSON; empty without a body. */
  readonly example: string;
  /** `fence` is the language of the sample's code block. */
  readonly samples: readonly { label: string; source: string; fence: string }[];
  readonly errors: readonly { status: string; description: string }[];
}

/** Returns the operations of the document, in its order. */
export const shownOperations = (): ShownOperation[] =>
  Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => shown(path, method, operation)),
  );

const shown = (path: string, method: string, operation: Operation): ShownOperation => {
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
    status,
    response: schemaTables(schema),
    example: example === undefined ? '' : JSON.stringify(example, null, 2),
    samples: (operation['x-codeSamples'] ?? []).map(({ lang, label, source }) => ({
      label,
      source,
      fence: fences[lang] ?? 'text',
    })),
    errors: Object.entries(operation.responses).flatMap(([code, error]) =>
      code < '400' ? [] : [{ status: code, description: resolved(error).description }],
    ),
  };
};

const fences: Readonly<Record<string, string>> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
};

const resolved = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (reference.components.responses[nameOf(response.$ref)] ?? response);
