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

/**
 * One setting: its environment variable, its parser and its default. A setting without `fallback`
 * is required. The value of a secret is logged as `***`.
 */
export interface Declaration<T> {
  readonly name: string;
  /** Parses the trimmed text. Throws an Error whose message names the expected form. */
  readonly parse: (text: string) => T;
  /** The setting's value if the variable is not set or empty. */
  readonly fallback?: T;
  readonly secret?: boolean;
}

export type Settings<D extends Record<string, Declaration<unknown>>> = {
  readonly [K in keyof D]: D[K] extends Declaration<infer T> ? T : never;
};

/**
 * Reads every declared setting from the environment.
 * @returns the settings, and by variable name their values for the log, with secrets masked.
 * @throws ConfigError with one line for each missing or invalid setting.
 */
export const readConfig = <D extends Record<string, Declaration<unknown>>>(
  declarations: D,
  environment: Readonly<Record<string, string | undefined>>,
): { settings: Settings<D>; masked: Record<string, unknown> } => {
  const settings: Record<string, unknown> = {};
  const masked: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, declaration] of Object.entries(declarations)) {
    const text = environment[declaration.name] ?? '';
    const absent = text === '';
    if (absent && !Object.hasOwn(declaration, 'fallback')) {
      faults.push(`${declaration.name} is required`);
      continue;
    }
    try {
      settings[key] = absent ? declaration.fallback : declaration.parse(text.trim());
    } catch (error) {
      faults.push(`${declaration.name}: ${(error as Error).message}`);
      continue;
    }
    masked[declaration.name] =
      declaration.secret && settings[key] !== undefined ? '***' : printable(settings[key]);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return { settings: settings as Settings<D>, masked };
};

/** Masks the password of a URL, so that a connection string can be logged. */
const printable = (value: unknown): unknown => {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, one]) => [name, printable(one)]));
  return typeof value === 'string' ? value.replace(/(\/\/[^:@/\s]*:)[^@/\s]*@/g, '$1***@') : value;
};
