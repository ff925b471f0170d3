import { ConfigError } from './config-error.ts';

/**
 * One setting: its variable's name, how it is read, and what stands in for it. Without a default
 * the setting is required. A secret is printed as `***`.
 */
export interface Declaration<T> {
  readonly name: string;
  /** Throws an Error whose message says what is expected. */
  readonly parse: (text: string) => T;
  /** Used when the variable is absent or, unless emptyCounts, empty. */
  readonly fallback?: T;
  readonly secret?: boolean;
  /** Set-but-empty is a value of its own. */
  readonly emptyCounts?: boolean;
}

export type Settings<D extends Record<string, Declaration<unknown>>> = {
  readonly [K in keyof D]: D[K] extends Declaration<infer T> ? T : never;
};

/**
 * Reads every declared setting once. All faults are reported together.
 * @returns the settings, and the same as text for the log, secrets masked.
 * @throws ConfigError
 */
export const readConfig = <D extends Record<string, Declaration<unknown>>>(
  declarations: D,
  environment: Readonly<Record<string, string | undefined>>,
): { settings: Settings<D>; masked: Record<string, unknown> } => {
  const settings: Record<string, unknown> = {};
  const masked: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, declaration] of Object.entries(declarations)) {
    const text = environment[declaration.name];
    const absent = text === undefined || (text === '' && !declaration.emptyCounts);
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

/** URLs lose their password, so that a connection string can be printed. */
const printable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(\/\/[^:@/\s]*:)[^@/\s]*@/g, '$1***@') : value;
