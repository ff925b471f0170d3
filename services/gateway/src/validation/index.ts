/**
 * Schemas with the 422 vocabulary. Each part of a request has one schema, which defines its
 * validation, its type and its documentation.
 */

export { dateTime, type Instant } from './date-time.ts';
export { list, type Model, model } from './model.ts';
export { boolean, choice, integer, uuid } from './scalars.ts';
export {
  described,
  type Fault,
  Faults,
  isOptional,
  type JsonSchema,
  type Loc,
  nullable,
  type Optional,
  type Output,
  optional,
  rejected,
  type Schema,
} from './schema.ts';
export { string } from './string.ts';
