import { publicKinds } from '../errors/catalogue.ts';
import { anyObject, described, listOf, named, openEnum, type Shape, text } from './shape.ts';

const errorCode = openEnum(
  'ErrorCode',
  publicKinds.filter((kind) => kind !== 'VALIDATION'),
  'Stable code of an error: decide by it.',
);

/** The body of an error response (contract 7). `details` is present for codes that have details. */
export const envelope = named('ApiError', {
  error: named('ApiErrorBody', {
    code: errorCode,
    message: described(text, 'Explanation for people; its wording may change.'),
    details: {
      ...described(anyObject, 'Facts of this error; its members depend on `code`.'),
      required: false,
    },
  }),
});

const step: Shape<string | number> = { json: { type: ['string', 'integer'] }, required: true };
const anything: Shape<unknown> = { json: {}, required: false };

/** The body of a 422 response (contract 2.6), in the words of pydantic (decision 1). */
export const validationError = named('ValidationError', {
  detail: listOf(
    named('ValidationErrorEntry', {
      loc: described(listOf(step), 'Path of the value: `body`, `query`, `path` or `header` first.'),
      msg: described(text, 'Explanation for people.'),
      type: described(text, 'Kind of the error, in the vocabulary of pydantic.'),
      input: described(anything, 'The value that was rejected.'),
      ctx: {
        ...described(anyObject, 'Values of the rule that was violated.'),
        required: false,
      },
    }),
  ),
});
