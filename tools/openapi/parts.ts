/** An OpenAPI document as far as compatibility is concerned: operations, and what they exchange. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Operation {
  /** `GET /orders`, or `webhook order.sealed`, whose roles are turned round. */
  readonly name: string;
  readonly parameters: readonly { name: string; required: boolean; schema: Schema }[];
  readonly body: Schema | undefined;
  readonly responses: ReadonlyMap<string, { headers: readonly string[]; schema?: Schema }>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What a webhook sends is an answer to its receiver: it may say more and never less. So it stands
 * here as an operation that takes nothing and answers with the event.
 */
export const operationsOf = (document: Json): readonly Operation[] => {
  const at = referencesIn(document);
  const each = (section: string, name: (method: string, path: string) => string, read: Read) =>
    Object.entries(members(document, section)).flatMap(([path, item]) =>
      methods
        .filter((method) => method in (item as Schema))
        .map((method) => read(name(method, path), members(item as Json, method), at)),
    );
  return [
    ...each('paths', (method, path) => `${method.toUpperCase()} ${path}`, asked),
    ...each('webhooks', (_, event) => `webhook ${event}`, pushed),
  ];
};

/** Follows references inside of a document, one step or as many as there are. */
export const referencesIn =
  (document: Json) =>
  (part: Schema): Schema => {
    let found = part;
    for (let steps = 0; typeof found.$ref === 'string'; steps++) {
      if (steps > 20) throw new Error(`references go in a circle at ${found.$ref}`);
      const { $ref, ...beside } = found;
      const names = String($ref).slice(2).split('/').map(unescaped);
      const target = names.reduce<Json>((at, name) => members(at, name), document);
      found = { ...(target as Schema), ...beside };
    }
    return found;
  };

type Json = object;
type Read = (name: string, operation: Schema, at: (part: Schema) => Schema) => Operation;

const asked: Read = (name, operation, at) => ({
  name,
  parameters: ((operation.parameters ?? []) as Schema[]).map(at).map((parameter) => ({
    name: `${parameter.in} ${parameter.name}`,
    required: parameter.required === true,
    schema: (parameter.schema ?? {}) as Schema,
  })),
  body: schemaIn(at((operation.requestBody ?? {}) as Schema)),
  responses: new Map(
    Object.entries(members(operation, 'responses')).map(([status, response]) => {
      const found = at(response as Schema);
      const schema = schemaIn(found);
      return [
        status,
        { headers: Object.keys(members(found, 'headers')), ...(schema && { schema }) },
      ];
    }),
  ),
});

const pushed: Read = (name, operation, at) => {
  const { parameters, body } = asked(name, operation, at);
  const event = {
    headers: parameters.map((parameter) => parameter.name.replace('header ', '')),
    ...(body && { schema: body }),
  };
  return { name, parameters: [], body: undefined, responses: new Map([['event', event]]) };
};

const members = (of: Json, name: string): Schema =>
  ((of as Schema)[name] as Schema | undefined) ?? {};

const schemaIn = (content: Schema): Schema | undefined =>
  members(members(content, 'content'), 'application/json').schema as Schema | undefined;

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
