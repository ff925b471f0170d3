/**
 * Whether a partner who was written against one OpenAPI document still gets along with another
 * (decision 50). A request may only need less, and a response may only have more.
 */
import { type Schema, schemaBreaks } from './schema-breaks.ts';

interface Operation {
  /** `GET /orders`, or `webhook order.sealed`, whose roles are turned round. */
  readonly name: string;
  readonly parameters: readonly { name: string; required: boolean; schema: Schema }[];
  readonly body: Schema | undefined;
  readonly isBodyRequired: boolean;
  readonly responses: ReadonlyMap<string, { headers: readonly string[]; schema?: Schema }>;
}

/** @returns what breaks, a sentence each; nothing if the next document only adds. */
export const breaks = (last: object, next: object): readonly string[] => {
  const after = new Map(operationsOf(next).map((operation) => [operation.name, operation]));
  return operationsOf(last).flatMap((was) => {
    const is = after.get(was.name);
    return is
      ? [...parameterBreaks(was, is), ...requestBreaks(was, is), ...responseBreaks(was, is)]
      : [`${was.name} is gone`];
  });
};

const parameterBreaks = (was: Operation, is: Operation): string[] => {
  const known = new Map(was.parameters.map((parameter) => [parameter.name, parameter]));
  return is.parameters.flatMap((parameter) => {
    const where = `${is.name}: parameter ${parameter.name}`;
    const old = known.get(parameter.name);
    if (parameter.required && !old?.required)
      return [`${where} is ${old ? 'now' : 'new and'} required`];
    return old ? schemaBreaks('request', where, old.schema, parameter.schema) : [];
  });
};

const requestBreaks = (was: Operation, is: Operation): string[] => {
  if (is.isBodyRequired && !was.isBodyRequired) return [`${is.name} now needs a body`];
  return was.body && is.body
    ? schemaBreaks('request', `${is.name}: request`, was.body, is.body)
    : [];
};

const responseBreaks = (was: Operation, is: Operation): string[] =>
  [...was.responses].flatMap(([status, old]) => {
    const where = `${is.name}: ${status}`;
    const now = is.responses.get(status);
    if (!now) return [`${where} is gone`];
    const headers = old.headers.filter((name) => !now.headers.includes(name));
    return [
      ...headers.map((name) => `${where}: header ${name} is gone`),
      ...(old.schema && !now.schema ? [`${where} has no body any more`] : []),
      ...(old.schema && now.schema ? schemaBreaks('answer', where, old.schema, now.schema) : []),
    ];
  });

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What a webhook sends is an answer to its receiver: it may say more and never less. So it stands
 * here as an operation that takes nothing and answers with the event.
 */
const operationsOf = (document: object): readonly Operation[] => {
  const whole = withoutReferences(document, document) as Schema;
  const each = (section: string, read: (path: string, method: string, of: Schema) => Operation) =>
    Object.entries(members(whole, section)).flatMap(([path, item]) =>
      methods
        .filter((method) => method in (item as Schema))
        .map((method) => read(path, method, members(item as Schema, method))),
    );
  return [
    ...each('paths', (path, method, of) => asked(`${method.toUpperCase()} ${path}`, of)),
    ...each('webhooks', (event, _, of) => pushed(`webhook ${event}`, of)),
  ];
};

/** A part of a document with what each reference names in its place. @throws Error for a circle. */
const withoutReferences = (document: object, part: unknown, above: string[] = []): unknown => {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => withoutReferences(document, one, above));
  const { $ref, ...beside } = part as Schema;
  if (typeof $ref !== 'string')
    return Object.fromEntries(
      Object.entries(part).map(([name, one]) => [name, withoutReferences(document, one, above)]),
    );
  if (above.includes($ref)) throw new Error(`references go in a circle at ${$ref}`);
  const names = $ref.slice(2).split('/').map(unescaped);
  const target = names.reduce(members, document as Schema);
  return withoutReferences(document, { ...target, ...beside }, [...above, $ref]);
};

const asked = (name: string, operation: Schema): Operation => ({
  name,
  parameters: ((operation.parameters ?? []) as Schema[]).map((parameter) => ({
    name: `${parameter.in} ${parameter.name}`,
    required: parameter.required === true,
    schema: (parameter.schema ?? {}) as Schema,
  })),
  body: schemaIn(members(operation, 'requestBody')),
  isBodyRequired: members(operation, 'requestBody').required === true,
  responses: new Map(
    Object.entries(members(operation, 'responses')).map(([status, response]) => {
      const schema = schemaIn(response as Schema);
      const headers = Object.keys(members(response as Schema, 'headers'));
      return [status, { headers, ...(schema && { schema }) }];
    }),
  ),
});

const pushed = (name: string, operation: Schema): Operation => {
  const { parameters, body } = asked(name, operation);
  const event = {
    headers: parameters.map((parameter) => parameter.name.replace('header ', '')),
    ...(body && { schema: body }),
  };
  const none = { parameters: [], body: undefined, isBodyRequired: false };
  return { name, ...none, responses: new Map([['event', event]]) };
};

const members = (of: Schema, name: string): Schema => (of[name] as Schema | undefined) ?? {};

const schemaIn = (content: Schema): Schema | undefined =>
  members(members(content, 'content'), 'application/json').schema as Schema | undefined;

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
