import { kinds } from '@pto/errors';
import { errorCatalogue, publicKinds } from '../../../services/gateway/src/errors/catalogue.ts';
import type { TextPage } from '../output/text-files.ts';
import { changelogText, reference } from './document.ts';
import { type ShownOperation, shownOperations } from './operations.ts';
import { type SchemaRow, type SchemaTable, schemaTable } from './schema-rows.ts';

/** Returns the pages of the reference as Markdown: each operation, the error codes, the schemas. */
export const referenceTexts = (): TextPage[] => [
  {
    path: '/docs',
    title: 'API reference',
    description: 'The base URL, keys and forms of the API.',
    markdown: reference.info.description,
  },
  ...shownOperations().map(operationText),
  errorTexts(),
  {
    path: '/docs/schemas',
    title: 'Schemas',
    description: 'The members of every object that the API takes and returns.',
    markdown: within(Object.keys(reference.components.schemas).map(schemaTable)),
  },
  {
    path: '/changelog',
    title: 'Changelog',
    description: 'What changed for partners.',
    markdown: changelogText(),
  },
];

const operationText = (operation: ShownOperation): TextPage => {
  const address = `${operation.method} ${operation.path}`;
  const { status, example } = operation;
  const parameters = operation.parameters.map(({ name, place, ...parameter }) =>
    schemaLine({ ...parameter, name: `${name} (${place})` }),
  );
  const errors = operation.errors.map((error) => `- ${error.status}: ${error.description}`);
  return {
    path: `/docs/${operation.id}`,
    title: operation.summary,
    description: address,
    markdown: [
      `\`${address}\``,
      operation.description,
      ...operation.samples.map((sample) => fence(sample.fence, sample.source.trimEnd())),
      section('## Parameters', table(parameters)),
      section('## Request body', within(operation.body)),
      section(`## Response ${status}`, example === '' ? 'No body.' : fence('json', example)),
      within(operation.response),
      section('## Errors', errors.join('\n')),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
};

const errorTexts = (): TextPage => ({
  path: '/docs/errors',
  title: 'Error codes',
  description: 'Every error code of the API, what it means and what to do about it.',
  markdown: publicKinds
    .map((code) => {
      const { meaning, whatToDo, details } = errorCatalogue[code];
      const example = details ? `\n\n${json(details)}` : '';
      return `## ${code} (${kinds[code].http})\n\n${meaning}\n\nWhat to do: ${whatToDo}${example}`;
    })
    .join('\n\n'),
});

const within = (tables: readonly SchemaTable[]): string =>
  tables
    .map(({ name, description, rows }) =>
      [`### ${name}`, description, table(rows.map(schemaLine))].filter(Boolean).join('\n\n'),
    )
    .join('\n\n');

const schemaLine = ({
  name,
  type,
  limits,
  isRequired,
  description,
}: Omit<SchemaRow, 'schema'>): string =>
  `| ${name} | ${type} | ${isRequired ? 'yes' : ''} | ${[limits, description].filter(Boolean).join('. ').replaceAll('\n', ' ').replaceAll('|', '\\|')} |`;

const table = (lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : ['| Name | Type | Required | Description |', '|---|---|---|---|', ...lines].join('\n');

const section = (title: string, text: string): string => (text === '' ? '' : `${title}\n\n${text}`);

const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2));

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
