import type { Route } from '../routes/route.ts';
import { exampleOf } from './examples.ts';

/**
 * Returns `x-codeSamples` of an operation. Each sample is a complete program: it reads the base URL
 * from the environment variable `API`, the key from `KEY` and ids from `ORDER_ID`, `ENDPOINT_ID`,
 * `DELIVERY_ID`, `LINK_ID` and `SHA256`, and fails if the response is an error.
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

const typescript = ({
  method,
  pathWith,
  headers,
  body,
  hasResponse,
  file,
}: SampleRequest): string =>
  `const response = await fetch(\`\${process.env.API}${pathWith((name) => `\${process.env.${name}}`)}\`, {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
${Object.entries(headers)
  .map(([name, value]) => `    '${name}': '${value}',\n`)
  .join('')}  },
${body === undefined ? '' : `  body: JSON.stringify(${indented(json(body, 2), 2)}),\n`}});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
${file ? 'process.stdout.write(new Uint8Array(await response.arrayBuffer()));\n' : ''}${hasResponse ? 'console.log(await response.json());\n' : ''}`;

const python = ({
  method,
  pathWith,
  hasParameters,
  headers,
  body,
  hasResponse,
  file,
}: SampleRequest): string =>
  `${body === undefined && !hasResponse ? '' : 'import json\n'}import os
${file ? 'import sys\n' : ''}from urllib.request import Request, urlopen

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
    ${file ? 'sys.stdout.buffer.write(response.read())' : hasResponse ? 'print(json.load(response))' : 'print(response.status)'}
`;

const json = (value: unknown, spaces: number): string => JSON.stringify(value, null, spaces);

/** Indents every line but the first. */
const indented = (text: string, spaces: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Converts JSON text to a Python literal: true, false and null outside of strings are replaced. */
const pythonLiteral = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => words[token] ?? token);

/** Query strings by operation id. */
const queries: Readonly<Record<string, string>> = {
  listOrders: '?updated_since=2026-03-01T00:00:00Z&limit=50',
  listDeliveries: '?state=EXHAUSTED',
  listRequests: '?status=4xx',
};

/** Request headers by operation id. */
const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createOrder: { 'Idempotency-Key': 'LAB-2026-000417' },
  createWebhook: { 'Idempotency-Key': 'endpoint-1' },
  rotateKey: { 'Idempotency-Key': 'rotation-of-2026' },
  recordCondition: { 'Idempotency-Key': 'logger-7-2026-03-02' },
};

/** Returns the request that the code samples of an operation send in every language. */
const sampleRequest = ({ name, method, path, schemas, response, file }: Route) => ({
  method,
  /**
   * Returns path and query, relative to the base URL of the API.
   * @param variable returns the expression for an environment variable in the sample's language;
   *   `order_id` comes from the variable ORDER_ID, as in all samples of the documentation.
   */
  pathWith: (variable: (name: string) => string): string =>
    path.replace(/:(\w+)/g, (_, parameter: string) => variable(parameter.toUpperCase())) +
    (queries[name] ?? ''),
  hasParameters: path.includes(':'),
  headers: {
    ...(schemas.body && { 'Content-Type': 'application/json' }),
    ...headers[name],
  },
  body: schemas.body && exampleOf(schemas.body.json),
  hasResponse: response !== undefined,
  file: file !== undefined,
});

type SampleRequest = ReturnType<typeof sampleRequest>;
