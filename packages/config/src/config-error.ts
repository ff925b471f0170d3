/** Exit code of a process with an invalid configuration: a restart cannot help. */
export const exitCodeBadConfiguration = 78;

/**
 * An invalid configuration: `faults` names every wrong setting with its reason, without secrets.
 */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`bad configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}
