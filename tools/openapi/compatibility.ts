/**
 * Whether a partner who was written against one OpenAPI document still gets along with another
 * (decision 50). A request may only need less, and a response may only have more.
 */
import { type Operation, operationsOf, referencesIn, type Schema } from './parts.ts';
import { schemaBreaks } from './schema-breaks.ts';

/** @returns what breaks, a sentence each; nothing if the next document only adds. */
export const breaks = (last: object, next: object): readonly string[] => {
  const before = operationsOf(last);
  const after = new Map(operationsOf(next).map((operation) => [operation.name, operation]));
  const resolve = { before: referencesIn(last), after: referencesIn(next) };
  return before.flatMap((was) => {
    const is = after.get(was.name);
    if (!is) return [`${was.name} is gone`];
    return [
      ...parameterBreaks(was, is, resolve),
      ...requestBreaks(was, is, resolve),
      ...responseBreaks(was, is, resolve),
    ];
  });
};

interface Resolve {
  readonly before: (schema: Schema) => Schema;
  readonly after: (schema: Schema) => Schema;
}

const parameterBreaks = (was: Operation, is: Operation, resolve: Resolve): string[] => {
  const known = new Map(was.parameters.map((parameter) => [parameter.name, parameter]));
  return is.parameters.flatMap((parameter) => {
    const where = `${is.name}: parameter ${parameter.name}`;
    const old = known.get(parameter.name);
    if (parameter.required && !old?.required)
      return [`${where} is ${old ? 'now' : 'new and'} required`];
    return old ? schemaBreaks('request', where, old.schema, parameter.schema, resolve) : [];
  });
};

const requestBreaks = (was: Operation, is: Operation, resolve: Resolve): string[] => {
  if (is.body && !was.body) return [`${is.name} now needs a body`];
  return was.body && is.body
    ? schemaBreaks('request', `${is.name}: request`, was.body, is.body, resolve)
    : [];
};

const responseBreaks = (was: Operation, is: Operation, resolve: Resolve): string[] =>
  [...was.responses].flatMap(([status, old]) => {
    const where = `${is.name}: ${status}`;
    const now = is.responses.get(status);
    if (!now) return [`${where} is gone`];
    const headers = old.headers.filter((name) => !now.headers.includes(name));
    return [
      ...headers.map((name) => `${where}: header ${name} is gone`),
      ...(old.schema && !now.schema ? [`${where} has no body any more`] : []),
      ...(old.schema && now.schema
        ? schemaBreaks('answer', where, old.schema, now.schema, resolve)
        : []),
    ];
  });
