import { printable } from '@pto/custody-verifier/printable';

/**
 * Prints lines for a person while the local stack starts. The texts of partners and services
 * within them are shown escaped.
 */
export interface Progress {
  say(line: string): void;
  /**
   * Sets the text that is printed whenever no line was printed for 10 s. Each call of `say`
   * replaces this text by its own line.
   */
  waitFor(what: string): void;
  /** Prints a problem to standard error. */
  warn(line: string): void;
  /** Ends the progress: no more lines are printed after a silence. */
  done(): void;
}

const silenceMs = 10_000;

/** Creates a progress whose lines begin with the seconds since the start. */
export const createProgress = (): Progress => {
  let last = 'starting';
  let lastAt = performance.now();
  const seconds = () => `${(performance.now() / 1000).toFixed(1).padStart(6)} s`;
  const say = (line: string) => {
    lastAt = performance.now();
    process.stdout.write(`${seconds()}  ${printable(line)}\n`);
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
    warn: (line) => process.stderr.write(`${seconds()}  ${printable(line)}\n`),
    done: () => clearInterval(timer),
  };
};
