/** A JSON Schema, as far as the OpenAPI document uses them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** @returns the Python annotation of a schema. @throws Error for a form that the document lacks. */
export const pythonType = (schema: Schema): string => {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '');
  if (schema.const !== undefined) return `Literal["${schema.const}"]`;
  if (schema.enum) return `Literal[${schema.enum.map((value) => `"${value}"`).join(', ')}]`;
  if (schema.allOf?.length === 1) return pythonType(schema.allOf[0]!);
  if (schema.anyOf) return schema.anyOf.map(pythonType).join(' | ');
  if (schema.type === undefined) return 'Any';
  return [schema.type]
    .flat()
    .map((type) => ofType(type, schema))
    .join(' | ');
};

const ofType = (type: string, { items, properties }: Schema): string => {
  if (properties) throw new Error('an object without a name in the OpenAPI document');
  if (type === 'array') return `list[${items ? pythonType(items) : 'Any'}]`;
  const known = types[type];
  if (!known) throw new Error(`the type ${type} in the OpenAPI document`);
  return known;
};

const types: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'dict[str, Any]',
  null: 'None',
};
