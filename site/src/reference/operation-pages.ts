import type MarkdownIt from 'markdown-it';
import { codeBlock } from '../markdown/highlight.ts';
import { nameOf, type Operation, type Response, reference, type Schema } from './document.ts';
import {
  limitsOf,
  type SchemaRow,
  schemaRows,
  schemasWithin,
  sentencesOf,
  typeText,
} from './schema-rows.ts';

/** A table of members with the name that the page shows above it. */
interface SchemaTable {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly SchemaRow[];
}

/** What the layout `operation.njk` shows of one operation. */
export interface OperationPage {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** HTML, as all descriptions here. */
  readonly description: string;
  readonly parameters: readonly (SchemaRow & { readonly place: string })[];
  readonly body: readonly SchemaTable[];
  readonly response: readonly SchemaTable[];
  readonly status: string;
  readonly samples: readonly { readonly label: string; readonly html: string }[];
  readonly example: string;
  readonly errors: readonly { readonly status: string; readonly description: string }[];
}

/** Returns a page for each operation of the document, in its order. */
export const operationPages = (md: MarkdownIt): OperationPage[] =>
  Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => page(md, path, method, operation)),
  );

const page = (
  md: MarkdownIt,
  path: string,
  method: string,
  operation: Operation,
): OperationPage => {
  const [status, success] = Object.entries(operation.responses).find(([code]) => code < '300')!;
  const { schema, example } = success.content?.['application/json'] ?? {};
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0] ?? '',
    summary: operation.summary,
    description: md.render(operation.description),
    parameters: operation.parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeText(parameter.schema),
      schema: '',
      isRequired: parameter.required,
      limits: limitsOf(parameter.schema),
      description: md.renderInline(parameter.description ?? ''),
    })),
    body: tables(md, operation.requestBody?.content['application/json'].schema),
    response: tables(md, schema),
    status,
    samples: (operation['x-codeSamples'] ?? []).map(({ lang, label, source }) => ({
      label,
      html: codeBlock(source, fences[lang] ?? 'text'),
    })),
    example: example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json'),
    errors: Object.entries(operation.responses)
      .filter(([code]) => code >= '400')
      .map(([code, response]) => ({
        status: code,
        description: md.renderInline(resolved(response).description),
      })),
  };
};

/** Language of a sample in the document, and of its code block. */
export const fences: Readonly<Record<string, string>> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
};

const resolved = (response: Response): Response =>
  response.$ref === undefined
    ? response
    : (reference.components.responses[nameOf(response.$ref)] ?? response);

const tables = (md: MarkdownIt, schema: Schema | undefined): SchemaTable[] =>
  schema === undefined ? [] : schemasWithin(schema).map((name) => schemaTable(md, name));

/** The section of one named schema. */
export const schemaTable = (md: MarkdownIt, name: string): SchemaTable => {
  const schema = reference.components.schemas[name] ?? {};
  return {
    name,
    description: md.renderInline(sentencesOf(schema)),
    rows: schemaRows(schema).map((row) => ({
      ...row,
      description: md.renderInline(row.description),
    })),
  };
};
