import { Failure } from '@pto/errors';

export const orderNotFound = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such order.', { details: { resource: 'order' } });
