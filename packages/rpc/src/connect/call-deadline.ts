import { createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';

const arrivedAt = createContextKey(0);

/** Creates a call's context values, with the time at which its headers arrived. */
export const arrivedNow = () => createContextValues().set(arrivedAt, performance.now());

/**
 * Returns the deadline of a call as a time of `performance.now()`; undefined if the caller sent
 * none. Connect's own `timeoutMs()` follows the wall clock, so a step while the body is read would
 * end the call.
 */
export const deadlineOf = ({ requestHeader, values }: HandlerContext): number | undefined => {
  const timeoutMs = requestHeader.get('connect-timeout-ms');
  return timeoutMs === null ? undefined : values.get(arrivedAt) + Number(timeoutMs);
};
