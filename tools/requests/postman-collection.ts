/** The requests as a Postman collection v2.1. Nothing in it is random, so it can be compared. */
import { document } from '../openapi/gateway-document.ts';
import { baseUrlExample, operations, pathVariables, type RequestOperation } from './operations.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** @returns the text of the file. */
export const postmanCollection = (): string => `${JSON.stringify(collection(), null, 2)}\n`;

const collection = () => ({
  info: { name: document.info.title, description: document.info.description, schema },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
  variable: [
    { key: 'base_url', value: baseUrlExample },
    { key: 'key', value: '', description: 'Set it as a secret of your environment.' },
    ...pathVariables.map((name) => ({ key: name, value: '' })),
  ],
  item: document.tags
    .map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tags }) => tags[0] === name).map(item),
    }))
    .filter((folder) => folder.item.length > 0),
});

const item = (operation: RequestOperation) => ({
  name: operation.summary,
  ...(remembers[operation.operationId] && {
    event: [remember(remembers[operation.operationId]!)],
  }),
  request: {
    method: operation.method,
    description: operation.description ?? '',
    header: headers(operation),
    url: url(operation),
    ...(operation.body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(operation.body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  },
});

const headers = ({ parameters, body }: RequestOperation) => [
  ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
  ...parameters
    .filter((one) => one.in === 'header')
    .map(({ name, description }) =>
      name === 'Idempotency-Key'
        ? { key: name, value: '{{$guid}}', description }
        : { key: name, value: '', description, disabled: true },
    ),
];

const url = ({ path, parameters }: RequestOperation) => {
  const segments = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const ofKind = (kind: string) => parameters.filter((one) => one.in === kind);
  const query = ofKind('query').map(({ name, description }) => ({
    key: name,
    value: '',
    description,
    disabled: true,
  }));
  const variable = ofKind('path').map(({ name, description }) => ({
    key: name,
    value: `{{${name}}}`,
    description,
  }));
  return {
    raw: `{{base_url}}/${segments.join('/')}`,
    host: ['{{base_url}}'],
    path: segments,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
};

/** The variable that gets the `id` of the response, by operation id. */
const remembers: Readonly<Record<string, string>> = {
  createOrder: 'order_id',
  createWebhook: 'endpoint_id',
};

const remember = (variable: string) => ({
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      `if (pm.response.code === 201) pm.collectionVariables.set('${variable}', pm.response.json().id);`,
    ],
  },
});
