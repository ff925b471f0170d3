/** One rehearsal: what fails, what the operator sees and does, and what must hold afterwards. */
export interface Rehearsal {
  readonly name: string;
  /** One line for the list. */
  readonly summary: string;
  /** @throws Error if something that must hold does not. */
  readonly run: (stage: Stage) => Promise<void>;
}

/** Where a rehearsal takes place: its folder, its transcript, and what is ended afterwards. */
export interface Stage {
  /** Folder for the state of this run, which every user may enter. Deleted afterwards. */
  readonly folder: string;
  /** Folder beside the transcript for files of this run. It is made by the rehearsal that needs it. */
  readonly results: string;
  /** A checkout of an earlier release, with its packages installed: `--from`. */
  readonly from: string | undefined;
  /** Writes a line into the transcript. */
  note(line: string): void;
  /** Runs a part of the rehearsal; the transcript has its name and duration. */
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a program to its end; the transcript has the command and its output.
   * @returns what it printed.
   * @throws Error for an exit code that is not expected.
   */
  command(program: string, args: readonly string[], options?: CommandOptions): Promise<string>;
  /** Calls `close` at the end of the rehearsal, the last one first. */
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
  /** Ends the program as Ctrl-C does. */
  readonly interrupt?: AbortSignal | undefined;
}
