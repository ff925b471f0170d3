import { errorCatalogue, type PublicKind } from '../errors/catalogue.ts';

/** Returns the Example Object of an error code: the body of a response with this code. */
export const errorExample = (code: PublicKind) => {
  const { meaning, details } = errorCatalogue[code];
  return {
    summary: meaning,
    value:
      code === 'VALIDATION'
        ? validationExample
        : { error: { code, message: meaning, ...(details && { details }) } },
  };
};

const validationExample = {
  detail: [
    {
      type: 'uuid_parsing',
      loc: ['path', 'order_id'],
      msg: 'Input should be a valid UUID, expected 32 hexadecimal digits',
      input: 'four',
      ctx: { error: 'expected 32 hexadecimal digits' },
    },
  ],
};
