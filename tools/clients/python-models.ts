/** `models.py` of the Python client: a TypedDict for each object of the OpenAPI document. */
import type { Schema } from '../../site/src/reference/document.ts';
import { document } from '../openapi/gateway-document.ts';

const schemas = document.components.schemas as Readonly<Record<string, Schema>>;

/** @returns the text of `models.py`. */
export const pythonModels = (): string => `${head}${Object.entries(schemas).map(model).join('')}`;

const head = `# Made from the OpenAPI document by \`npm run generate\`.
"""Objects of requests and responses.

They are dictionaries: members that were added after this version are there, too. Enumerations of
responses are strings, since values may be added (decision 63); \`Known...\` has those of today.
"""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
`;

/** An alias, or a class; with a member that is a keyword of Python, a class by the call of its type. */
const model = ([name, schema]: [string, Schema]): string => {
  if (!schema.properties) return alias(name, schema);
  const isResponse = inResponses.has(name);
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(([member, of]) => {
    const type = pythonType(of);
    const always = isResponse || required.has(member);
    const described = of.description ? `    ${docstring(of.description)}\n` : '';
    return `    ${member}: ${always ? type : `NotRequired[${type}]`}\n${described}`;
  });
  if (Object.keys(schema.properties).some((member) => keywords.has(member))) {
    const entries = Object.entries(schema.properties).map(([member, of]) => {
      const type = pythonType(of);
      return `    "${member}": "${isResponse || required.has(member) ? type : `NotRequired[${type}]`}",\n`;
    });
    return `\n\n${name} = TypedDict("${name}", {\n${entries.join('')}})\n`;
  }
  const about = schema.description ? `    ${docstring(schema.description)}\n\n` : '';
  return `\n\nclass ${name}(TypedDict):\n${about}${members.join('')}`;
};

/** The keywords of Python 3, of which the document has `from` and `return` as members. */
const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`.split(
    /\s+/,
  ),
);

const alias = (name: string, schema: Schema): string => {
  if (schema.enum) return `\n\n${name} = ${pythonType(schema)}\n`;
  return `\n\n${name} = str\n${schema.description ? `${docstring(schema.description)}\n` : ''}`;
};

const docstring = (text: string): string =>
  `"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'").replaceAll('\n', ' ')}"""`;

/** Names of the schemas that a value refers to, directly or not. */
const reached = (value: unknown, names = new Set<string>()): Set<string> => {
  if (typeof value !== 'object' || value === null) return names;
  const [, name] = /\/schemas\/(\w+)$/.exec((value as Schema).$ref ?? '') ?? [];
  if (name !== undefined && !names.has(name)) reached(schemas[name], names.add(name));
  for (const member of Object.values(value)) reached(member, names);
  return names;
};

/** Responses have all their members (contract 2), whatever the document lists as required. */
const inResponses = reached(
  Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses = {} }: { responses?: object }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        status.startsWith('2') ? [response] : [],
      ),
    ),
  ),
);

/** @returns the Python annotation of a schema. @throws Error for a form that the document lacks. */
const pythonType = (schema: Schema): string => {
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
