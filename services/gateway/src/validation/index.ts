/** The 422 vocabulary: one schema per part of a request, from which everything else is read. */
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
  type Output,
  optional,
  type Schema,
} from './schema.ts';
export { string } from './string.ts';
export { uuid } from './uuid.ts';
