/** What a person sees while things start. */
export interface Progress {
  say(line: string): void;
  /** What the next long silence will be about, if it is not what was said last. */
  waitFor(what: string): void;
  /** Something went wrong: to standard error. */
  warn(line: string): void;
  /** Until then, a long silence is broken by saying what is waited for. */
  done(): void;
}

const silenceMs = 10_000;

/** Lines with the seconds since the start. */
export const createProgress = (): Progress => {
  let last = 'starting';
  let lastAt = performance.now();
  const seconds = () => `${(performance.now() / 1000).toFixed(1).padStart(6)} s`;
  const say = (line: string) => {
    lastAt = performance.now();
    process.stdout.write(`${seconds()}  ${line}\n`);
  };
  const timer = setInterval(() => {
    if (performance.now() - lastAt > silenceMs) say(`… ${last}`);
  }, 1000).unref();
  return {
    say: (line) => {
      last = line;
      say(line);
    },
    waitFor: (what) => {
      last = `waiting for ${what}`;
    },
    warn: (line) => process.stderr.write(`${seconds()}  ${line}\n`),
    done: () => clearInterval(timer),
  };
};
