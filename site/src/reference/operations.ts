import { nameOf, type Operation, type Response, reference, type Schema } from './document.ts';
import { limitsOf, type SchemaRow, typeText } from './schema-rows.ts';

/** One operation as the page and the text of the reference show it; descriptions are Markdown. */
export interface ShownOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (SchemaRow & { readonly place: string })[];
  readonly body: Schema | undefined;
  /** Of the success. */
  readonly status: string;
  readonly response: Schema | undefined;
  readonly example: unknown;
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
  const { schema: response, example } = success.content?.['application/json'] ?? {};
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: operation.description,
    parameters: operation.parameters.map(({ name, in: place, required, schema, description }) => ({
      name,
      place,
      type: typeText(schema),
      schema: '',
      isRequired: required,
      limits: limitsOf(schema),
      description: description ?? '',
    })),
    body: operation.requestBody?.content['application/json'].schema,
    status,
    response,
    example,
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
