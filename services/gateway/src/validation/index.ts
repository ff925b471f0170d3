/**
 * Schemas with the 422 vocabulary. Each part of a request has one schema, which defines its
 * validation, its type and its documentation.
 */
export { boolean } from './boolean.ts';
export { choice } from './choice.ts';
export { dateTime, type Instant } from './date-time.ts';
export { type Fault, Faults, type Loc, rejected } from './fault.ts';
export { integer } from './integer.ts';
export { list } from './list.ts';
export { type Model, model } from './model.ts';
export {
  described,
  isOptional,
  type JsonSchema,
  nullable,
  type Optional,
  type Output,
  optional,
  type Schema,
} from './schema.ts';
export { string } from './string.ts';
export { uuid } from './uuid.ts';
