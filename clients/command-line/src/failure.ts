/** The arguments or the settings are wrong, and nothing was sent: exit code 2. */
export class WrongUsage extends Error {}

/** The command has failed; the message says what to do next: exit code 1. */
export class Failed extends Error {}

/** Ends the program with this exit code after the command has printed its result. */
export class EndedWith extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}
