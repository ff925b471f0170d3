import type { Route } from '../routes/route.ts';
import { type SampleRequest, sampleRequest } from './sample-requests.ts';

/**
 * Returns `x-codeSamples` of an operation. Each sample is a complete program: it reads the base URL
 * from the environment variable `API`, the key from `KEY` and ids from `ORDER_ID`, `ENDPOINT_ID`
 * and `DELIVERY_ID`, and fails if the response is an error.
 */
export const codeSamples = (route: Route) => {
  const request = sampleRequest(route);
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ];
};

const curl = ({ method, pathWith, headers, body }: SampleRequest): string =>
  [
    `curl --fail-with-body${method === 'GET' ? '' : ` -X ${method}`} "$API${pathWith((name) => `$${name}`)}"`,
    '-H "Authorization: Bearer $KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${json(body, 2).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');

const typescript = ({ method, pathWith, headers, body, hasResponse }: SampleRequest): string =>
  `const response = await fetch(\`\${process.env.API}${pathWith((name) => `\${process.env.${name}}`)}\`, {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
${Object.entries(headers)
  .map(([name, value]) => `    '${name}': '${value}',\n`)
  .join('')}  },
${body === undefined ? '' : `  body: JSON.stringify(${indented(json(body, 2), 2)}),\n`}});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
${hasResponse ? 'console.log(await response.json());\n' : ''}`;

const python = ({
  method,
  pathWith,
  hasParameters,
  headers,
  body,
  hasResponse,
}: SampleRequest): string =>
  `${body === undefined && !hasResponse ? '' : 'import json\n'}import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["API"] + ${hasParameters ? 'f' : ''}"${pathWith((name) => `{os.environ['${name}']}`)}",
    method="${method}",
    headers={
        "Authorization": "Bearer " + os.environ["KEY"],
${Object.entries(headers)
  .map(([name, value]) => `        "${name}": "${value}",\n`)
  .join('')}    },
${body === undefined ? '' : `    data=json.dumps(${indented(pythonLiteral(json(body, 4)), 4)}).encode(),\n`})
with urlopen(request) as response:  # raises HTTPError if the response is an error
    ${hasResponse ? 'print(json.load(response))' : 'print(response.status)'}
`;

const json = (value: unknown, spaces: number): string => JSON.stringify(value, null, spaces);

/** Indents every line but the first. */
const indented = (text: string, spaces: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Converts JSON text to a Python literal: true, false and null outside of strings are replaced. */
const pythonLiteral = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => words[token] ?? token);
