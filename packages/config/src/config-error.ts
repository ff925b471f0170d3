/** What a process exits with when its configuration is wrong: starting it again cannot help. */
export const exitCodeBadConfiguration = 78;

/** Names every setting that does not hold, each with its reason; values of secrets are left out. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`bad configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
