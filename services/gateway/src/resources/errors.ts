import { publicKinds } from '../errors/catalogue.ts';
import {
  anyObject,
  described,
  list,
  model,
  openEnum,
  optional,
  string,
  written,
} from '../validation/index.ts';

const errorCode = openEnum(
  'ErrorCode',
  publicKinds.filter((kind) => kind !== 'VALIDATION'),
  'Stable code of an error: decide by it.',
);

/** The body of an error response (contract 7). `details` is present for codes that have details. */
export const envelope = model('ApiError', {
  error: model('ApiErrorBody', {
    code: errorCode,
    message: described(string(), 'Explanation for people; its wording may change.'),
    details: described(optional(anyObject()), 'Facts of this error; its members depend on `code`.'),
  }),
});

/** The body of a 422 response (contract 2.6), in the words of pydantic (decision 1). */
export const validationError = model('ValidationError', {
  detail: list(
    model('ValidationErrorEntry', {
      loc: described(
        list(written<string | number>({ type: ['string', 'integer'] })),
        'Path of the value: `body`, `query`, `path` or `header` first.',
      ),
      msg: described(string(), 'Explanation for people.'),
      type: described(string(), 'Kind of the error, in the vocabulary of pydantic.'),
      input: described(optional(written({})), 'The value that was rejected.'),
      ctx: described(optional(anyObject()), 'Values of the rule that was violated.'),
    }),
  ),
});
