/**
 * Schemas with the 422 vocabulary. Each part of a request has one schema, which defines its
 * validation, its type and its documentation.
 */
export { dateTime } from './date-time.ts';
export { absent, list, type Model, model } from './model.ts';
export { boolean, choice, integer, string, uuid } from './scalars.ts';
export {
  described,
  type Fault,
  Faults,
  Input,
  isOptional,
  type JsonSchema,
  nullable,
  nullableJson,
  type Optional,
  type Output,
  optional,
  rejected,
} from './schema.ts';
