import type { QueryResult } from 'pg';

/** The response to a statement that a connection holds back and sends with another one. */
export type Later = PromiseWithResolvers<QueryResult>;

const marked = new WeakMap<readonly unknown[], Later | null>();

/** Marks the parameters of a statement that is held back and whose result is not needed. */
export const markPipelined = (parameters: readonly unknown[]): void => {
  marked.set(parameters, null);
};

/**
 * Marks the parameters of a statement that is held back and whose result is needed.
 * @returns the result, after the statement was sent with the next one.
 */
export const markWithNext = (parameters: readonly unknown[]): Promise<QueryResult> => {
  const later: Later = Promise.withResolvers();
  later.promise.catch(() => {}); // the caller may see the same error of the next statement first
  marked.set(parameters, later);
  return later.promise;
};

/** @returns null if no result is needed; undefined if the statement is not held back. */
export const heldBack = (parameters: readonly unknown[] | undefined): Later | null | undefined =>
  parameters && marked.get(parameters);
