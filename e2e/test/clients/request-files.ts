/** Reads the request files as the tools of partners do. */
import { readFileSync } from 'node:fs';

export interface FileRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Variables = Readonly<Record<string, string>>;

const folder = new URL('../../../clients/requests/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** @throws Error for a variable without a value; those with `$` are the tool's own. */
const filled = (text: string, variables: Variables): string =>
  text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
    const value = name.startsWith('$') ? `${Date.now()}` : variables[name];
    if (value === undefined) throw new Error(`the variable ${name} is not declared`);
    return value;
  });

/** @param values for the variables that the file declares. */
export const readHttpFile = (values: Variables): FileRequest[] => {
  const [head = '', ...blocks] = read('partner-api.http').split(/^### .*\n/m);
  const declared = [...head.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name]) => name!);
  const variables = Object.fromEntries(declared.map((name) => [name, values[name]!]));
  return blocks.map((block) => {
    const [top = '', ...rest] = filled(block, variables).trim().split('\n\n');
    const lines = top.split('\n');
    const [method = '', url = ''] = lines.find((line) => /^[A-Z]+ /.test(line))!.split(' ');
    const headers = lines.flatMap((line) => {
      const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
      return name === undefined || line.startsWith('#') ? [] : [[name.toLowerCase(), value!]];
    });
    const [, name = ''] = /^# @name (\w+)$/m.exec(top) ?? [];
    const body = rest.length > 0 ? rest.join('\n\n') : undefined;
    return { name, method, url, headers: Object.fromEntries(headers), body };
  });
};

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly header: readonly { key: string; value: string }[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly variable?: readonly { key: string; value: string }[];
    };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly info: { readonly schema: string };
  readonly auth: { readonly bearer: readonly { value: string }[] };
  readonly variable: readonly { readonly key: string }[];
  readonly item: readonly Item[];
}

/** The requests of the Postman collection v2.1. */
export const readPostmanCollection = (values: Variables): FileRequest[] => {
  const collection: Collection = JSON.parse(read('partner-api.postman_collection.json'));
  if (!collection.info.schema.endsWith('/v2.1.0/collection.json')) throw new Error('not v2.1');
  const declared = collection.variable.map(({ key }) => key);
  const variables = Object.fromEntries(declared.map((name) => [name, values[name]!]));
  const bearer = `Bearer ${collection.auth.bearer[0]!.value}`;
  const requestsOf = ({ item = [], name, request }: Item): FileRequest[] => [
    ...item.flatMap(requestsOf),
    ...(request ? [requestOf(name, request)] : []),
  ];
  const requestOf = (name: string, { method, header, url, body }: NonNullable<Item['request']>) => {
    const own = new Map(url.variable?.map(({ key, value }) => [`:${key}`, value]));
    const path = url.path.map((segment) => own.get(segment) ?? segment);
    if (url.raw !== [...url.host, ...url.path].join('/')) throw new Error(`${name}: ${url.raw}`);
    const headers = header.map(({ key, value }) => [key.toLowerCase(), filled(value, variables)]);
    return {
      name,
      method,
      url: filled([...url.host, ...path].join('/'), variables),
      headers: { authorization: filled(bearer, variables), ...Object.fromEntries(headers) },
      body: body?.raw,
    };
  };
  return collection.item.flatMap(requestsOf);
};
