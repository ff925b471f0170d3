import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An OpenAPI document, as far as these tests look into it. */
export interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
export interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}
interface Content {
  readonly content?: { readonly 'application/json': MediaType };
}
interface Response extends Content {
  readonly headers?: Readonly<Record<string, object>>;
}
interface MediaType {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

/** Asks a document what an operation's answer of a status must look like. */
export const answersOf = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ components: document.components }, 'openapi');
  const compile = (schema: object): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
  const responseOf = ({ responses }: Operation, status: number | string): Response | undefined => {
    const found = responses[status];
    return found && '$ref' in found
      ? (document.components.responses?.[found.$ref.split('/').at(-1)!] as Response)
      : (found as Response | undefined);
  };
  const faultsIn = (schema: object, value: unknown): string[] => {
    const validate = compile(schema);
    return validate(value)
      ? []
      : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const exampleAt = ({ $ref }: { readonly $ref: string }): unknown =>
    (document.components.examples![$ref.split('/').at(-1)!] as { value: unknown }).value;
  return {
    /** The examples of a body. */
    examplesOf: ({ example, examples }: MediaType): readonly unknown[] =>
      examples ? Object.values(examples).map(exampleAt) : [example],
    operations: Object.values(document.paths).flatMap((methods) => Object.values(methods)),
    responseOf,
    faultsIn,
    /** What an answer has that the document does not say of it; nothing if all is well. */
    faults: (
      operation: Operation,
      answer: { status: number; headers: Headers; text: string },
    ): string[] => {
      const response = responseOf(operation, answer.status);
      if (!response) return [`${answer.status} is not documented`];
      const content: Content['content'] = response.content;
      const media = content?.['application/json'];
      const type = answer.headers.get('content-type') ?? '';
      const isFile = media === undefined && content !== undefined && type in content;
      const bodyFaults =
        media === undefined
          ? [isFile ? '' : answer.text]
              .filter((text) => text !== '')
              .map((text) => `unexpected body ${text}`)
          : faultsIn(media.schema, JSON.parse(answer.text));
      const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
      const own = [...answer.headers.keys()].filter(
        (name) => name.startsWith('x-') || notable.has(name),
      );
      return [
        ...bodyFaults,
        ...own.filter((name) => !known.includes(name)).map((name) => `undocumented ${name}`),
      ];
    },
  };
};

const notable = new Set(['retry-after', 'idempotency-replayed', 'deprecation', 'sunset', 'link']);
