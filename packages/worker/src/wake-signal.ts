/**
 * A pause that `wake` ends early. If `wake` is called without a pause in progress, the next pause
 * ends immediately.
 */
export interface WakeSignal {
  wait(ms: number): Promise<void>;
  wake(): void;
}

/**
 * Creates a wake signal.
 * @param options.unref true: a pause does not keep the process running.
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
