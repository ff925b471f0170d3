/** Longer than the time between two calls of a page, so that one of them reports each use. */
const usedMs = 60_000;

let usedAt = Date.now();
for (const event of ['pointerdown', 'pointermove', 'wheel', 'keydown'])
  addEventListener(event, () => (usedAt = Date.now()), { capture: true, passive: true });

/** Whether nobody has used this page for a minute. Its calls then do not prolong the session. */
export const isUnattended = (): boolean => Date.now() - usedAt > usedMs;
