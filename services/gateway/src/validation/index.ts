/**
 * Schemas with the 422 vocabulary. Each part of a request has one schema, which defines its
 * validation, its type and its documentation.
 */
export { dateTime } from './date-time.ts';
export { absent, list, type Model, model, parameters } from './model.ts';
export { boolean, choice, integer, string, uuid } from './scalars.ts';
export {
  described,
  type Fault,
  Faults,
  Input,
  isOptional,
  type JsonSchema,
  maybe,
  nullable,
  type Optional,
  type Output,
  optional,
  type Schema,
} from './schema.ts';
export { anyObject, count, literal, number, openEnum, timestamp, written } from './written.ts';
