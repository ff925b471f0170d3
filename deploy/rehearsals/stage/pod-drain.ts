/**
 * How long a process serves on when its successor is ready, in ms: `drainSeconds` of the charts, the
 * time between the end of a pod and its SIGTERM.
 */
export const drainMs = 10_000;
