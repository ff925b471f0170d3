import { printable } from '@pto/custody-verifier/printable';

/**
 * Prints lines for a person while the local stack starts, each with the seconds since the start. The
 * texts of partners and services within them are shown escaped.
 */
export interface Progress {
  say(line: string): void;
  /** Prints a problem to standard error. */
  warn(line: string): void;
}

const timed = (line: string): string =>
  `${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${printable(line)}\n`;

export const progress: Progress = {
  say: (line) => void process.stdout.write(timed(line)),
  warn: (line) => void process.stderr.write(timed(line)),
};
