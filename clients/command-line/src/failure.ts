/** The arguments or the settings are wrong, and nothing was sent: exit code 2. */
export class WrongUsage extends Error {}

/** The command has failed; the message says what to do next: exit code 1. */
export class Failed extends Error {}
