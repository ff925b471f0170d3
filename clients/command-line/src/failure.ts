/** The arguments or the settings are wrong, and nothing was sent: exit code 2. */
export class WrongUsage extends Error {}
