/** A wait that can be cut short; a call of `wake` while nobody waits counts for the next wait. */
export interface Pulse {
  wait(ms: number): Promise<void>;
  wake(): void;
}

export const createPulse = (): Pulse => {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (woken) {
          woken = false;
          resolve();
          return;
        }
        const timer = setTimeout(() => end?.(), ms);
        end = () => {
          end = undefined;
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => {
      if (end) end();
      else woken = true;
    },
  };
};
