/** One drill: what fails, what the operator sees and does, and what must hold afterwards. */
export interface Drill {
  readonly name: string;
  /** One line for the list. */
  readonly summary: string;
  /** @throws Error if something that must hold does not. */
  readonly run: (bed: Bed) => Promise<void>;
}

/** What each drill runs on: its folder, its transcript, and what is ended afterwards. */
export interface Bed {
  /** Folder for the state of this run, which every user may enter. Deleted afterwards. */
  readonly folder: string;
  /** A checkout of an earlier release, with its packages installed: `--from`. */
  readonly from: string | undefined;
  /** Writes a line into the transcript. */
  note(line: string): void;
  /** Runs a part of the drill; the transcript has its name and duration. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a program to its end; the transcript has the command and its output.
   * @returns what it printed.
   * @throws Error for an exit code that is not expected.
   */
  command(program: string, args: readonly string[], options?: CommandOptions): Promise<string>;
  /** Calls `close` at the end of the drill, the last one first. */
  atEnd(close: () => Promise<unknown> | unknown): void;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** User that runs the program; this process's user by default. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** Exit codes that are expected; 0 by default. */
  readonly codes?: readonly number[];
  /** How the transcript shows the command, where its own words would be a path of this machine. */
  readonly shown?: string;
  readonly timeoutMs?: number;
}
