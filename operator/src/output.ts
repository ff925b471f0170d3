import type { Command } from 'commander';

/** Thrown by a command after it has printed its output, to end the program with exit code 1. */
export class NotValid extends Error {}

type Value = object | readonly object[];

/** Prints one JSON document with --json, else a table: rows for a list, members for an object. */
export const print = (command: Command, value: Value): void => {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : table(value));
};

const table = (value: Value): string => {
  if (!Array.isArray(value)) return columns(Object.entries(value).map(([k, v]) => [k, cell(v)]));
  if (value.length === 0) return '(none)\n';
  const names = [...new Set(value.flatMap((row) => Object.keys(row)))];
  const rows = value.map((row) => names.map((name) => cell(row[name])));
  return columns([names.map((name) => name.toUpperCase()), ...rows]);
};

const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, n) => Math.max(...rows.map((row) => row[n]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, n) => text.padEnd(widths[n]!))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
};

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((v) => typeof v !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/**
 * Replaces the line of progress on a terminal's standard error, so that progress never mixes with
 * --json output. Does nothing if standard error is no terminal.
 */
export const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`);
};

/** Writes a line for people to standard error. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** Returns null for proto's empty string. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
