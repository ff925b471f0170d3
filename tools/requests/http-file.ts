/** The requests as a `.http` file, for the REST clients of Visual Studio Code and JetBrains. */
import { baseUrlExample, operations, pathVariables, type RequestOperation } from './operations.ts';

/** @returns the text of the file. */
export const httpFile = (): string => [head, ...operations.map(request)].join('\n');

const variables = [
  `@base_url = ${baseUrlExample}`,
  '@key = svc_test_your_key',
  ...pathVariables.map((name) => `@${name} = 00000000-0000-4000-8000-000000000000`),
];

const head = `# Requests of the Partner Transport Orders API, made from the OpenAPI document.
# Set the variables; do not commit a key.

${variables.join('\n')}
`;

const request = ({
  operationId,
  summary,
  method,
  path,
  parameters,
  body,
}: RequestOperation): string => {
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const lines = [
    `### ${summary}`,
    `# @name ${operationId}`,
    ...(query.length > 0 ? [`# Query parameters: ${query.join(', ')}`] : []),
    `${method} {{base_url}}${path.replace(/\{(\w+)\}/g, '{{$1}}')}`,
    'Authorization: Bearer {{key}}',
    ...(parameters.some(({ name }) => name === 'Idempotency-Key')
      ? ['Idempotency-Key: key-{{$timestamp}}']
      : []),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
  ];
  return `${lines.join('\n')}\n`;
};
