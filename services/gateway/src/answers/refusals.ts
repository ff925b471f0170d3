import { anyObject, listOf, named, type Shape, text } from './shape.ts';

/** Contract 7; `details` is there where the code has some. */
export const envelope = named('Error', {
  error: named('ErrorBody', {
    code: text,
    message: text,
    details: { ...anyObject, required: false },
  }),
});

const step: Shape<string | number> = { json: { type: ['string', 'integer'] }, required: true };
const anything: Shape<unknown> = { json: {}, required: false };

/** Contract 2.6, in the words of pydantic (decision 1). */
export const validationError = named('ValidationError', {
  detail: listOf(
    named('ValidationFault', {
      loc: listOf(step),
      msg: text,
      type: text,
      input: anything,
      ctx: { ...anyObject, required: false },
    }),
  ),
});
