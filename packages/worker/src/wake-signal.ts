/**
 * A pause that `wake` ends early. A call of `wake` without a pause in progress ends the next pause
 * at once.
 */
export interface WakeSignal {
  wait(ms: number): Promise<void>;
  wake(): void;
}

/**
 * Creates a wake signal.
 * @param options.unref lets the process exit during a pause.
 */
export const createWakeSignal = ({ unref = false } = {}): WakeSignal => {
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
        if (unref) timer.unref();
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
