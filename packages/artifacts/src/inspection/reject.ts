import { invalid } from '@pto/errors';

/** @throws Failure with the reason why the bytes are no permitted artifact. */
export const reject = (reason: string): never => {
  throw invalid(['artifact'], reason);
};
