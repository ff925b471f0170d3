import type MarkdownIt from 'markdown-it';
import { codeBlock } from '../markdown/highlight.ts';
import { reference, type Schema } from './document.ts';
import { shownOperations } from './operations.ts';
import { type SchemaRow, schemaRows, schemasWithin, sentencesOf } from './schema-rows.ts';

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
  shownOperations().map(
    ({ description, parameters, body, response, samples, example, errors, ...one }) => ({
      ...one,
      description: md.render(description),
      parameters: inline(md, parameters),
      body: tables(md, body),
      response: tables(md, response),
      samples: samples.map(({ label, source, fence }) => ({
        label,
        html: codeBlock(source, fence),
      })),
      example: example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json'),
      errors: inline(md, errors),
    }),
  );

/** The same rows, with their descriptions as HTML. */
const inline = <Row extends { readonly description: string }>(
  md: MarkdownIt,
  rows: readonly Row[],
) => rows.map((row) => ({ ...row, description: md.renderInline(row.description) }));

const tables = (md: MarkdownIt, schema: Schema | undefined): SchemaTable[] =>
  schema === undefined ? [] : schemasWithin(schema).map((name) => schemaTable(md, name));

/** The section of one named schema. */
export const schemaTable = (md: MarkdownIt, name: string): SchemaTable => {
  const schema = reference.components.schemas[name] ?? {};
  return {
    name,
    description: md.renderInline(sentencesOf(schema)),
    rows: inline(md, schemaRows(schema)),
  };
};
