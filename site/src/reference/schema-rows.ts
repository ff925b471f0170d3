import { nameOf, reference, type Schema } from './document.ts';

/** One member of an object, for a table. */
export interface SchemaRow {
  readonly name: string;
  readonly type: string;
  /** Name of the schema that has a section of its own; else empty. */
  readonly schema: string;
  readonly isRequired: boolean;
  readonly limits: string;
  readonly description: string;
}

/** A table of members with the name and the Markdown that the page shows above it. */
export interface SchemaTable {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly SchemaRow[];
}

/** The section of one named schema. */
export const schemaTable = (name: string): SchemaTable => {
  const schema = reference.components.schemas[name] ?? {};
  return { name, description: sentencesOf(schema), rows: schemaRows(schema) };
};

/** The sections of all schemas that a schema leads to, itself first. */
export const schemaTables = (schema: Schema | undefined): SchemaTable[] =>
  schema === undefined ? [] : schemasWithin(schema).map(schemaTable);

/** Returns a row for each member of a schema, in the document's order. */
const schemaRows = (schema: Schema): SchemaRow[] =>
  Object.entries(resolved(schema).properties ?? {}).map(([name, member]) => ({
    name,
    type: typeText(member),
    schema: schemaName(member),
    isRequired: resolved(schema).required?.includes(name) ?? false,
    limits: limitsOf(member),
    description: member.description ?? '',
  }));

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (reference.components.schemas[nameOf(schema.$ref)] ?? schema);

/** `array of Order, or null`. */
export const typeText = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.allOf) return schema.allOf.map(typeText).join(' and ');
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  const types = [schema.type ?? 'any value'].flat();
  const named = types.map((type) => {
    if (type === 'array') return `array of ${typeText(schema.items ?? {})}`;
    return type === 'string' ? (schema.format ?? type) : type;
  });
  return named.join(' or ');
};

const schemaName = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  return (
    innerOf(schema)
      .map(schemaName)
      .find((name) => name !== '') ?? ''
  );
};

/** `1 to 100 characters`, `one of A, B`. */
export const limitsOf = (schema: Schema): string =>
  [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    schema.enum ? `one of ${schema.enum.join(', ')}` : '',
  ]
    .filter((text) => text !== '')
    .join('; ');

const range = (min: number | undefined, max: number | undefined, unit: string): string => {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min === undefined ? '' : `at least ${min}${unit}`;
};

/** Returns the names of all schemas that a schema leads to, itself first. */
const schemasWithin = (schema: Schema, found: string[] = []): string[] => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    if (found.includes(name)) return found;
    found.push(name);
  }
  const { properties = {} } = resolved(schema);
  for (const inner of [...Object.values(properties), ...innerOf(resolved(schema))])
    schemasWithin(inner, found);
  return found;
};

const innerOf = ({ anyOf = [], allOf = [], items }: Schema): Schema[] => [
  ...anyOf,
  ...allOf,
  ...(items ? [items] : []),
];

/** Returns the description of a schema, with the values of one that is nothing but a choice. */
const sentencesOf = (schema: Schema): string =>
  [
    schema.description ?? '',
    schema.enum ? `Values: ${schema.enum.map((value) => `\`${value}\``).join(', ')}.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
