/** Exit code of a process with an invalid configuration: a restart cannot help. */
export const exitCodeBadConfiguration = 78;

/**
 * An invalid configuration. `faults` has one line for each wrong setting that was found, with the
 * reason and without secrets.
 */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`bad configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
