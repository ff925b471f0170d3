import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { printable } from '@pto/custody-verifier/printable';
import type { Command } from 'commander';
import { NotShown, writeLines } from './writer.ts';

/** Thrown by a command after it has printed its output, to end the program with exit code 1. */
export class NotValid extends Error {}

/** A secret could not be printed; the message says whether it was revoked. */
export class SecretNotShown extends Error {}

type Value = object | readonly object[];

/**
 * Prints one JSON document with --json, else a table: rows for a list, members for an object.
 * @param columns the members of a list's rows that the table shows; all by default.
 * @throws NotShown
 */
export const print = (
  command: Command,
  value: Value,
  columns?: readonly string[],
): Promise<void> => {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  return writeLines(
    'stdout',
    json ? JSON.stringify(value, null, 2).split('\n') : table(value, columns),
  );
};

/** Prints a text on one line; with --json as a JSON string. @throws NotShown */
export const printText = (command: Command, text: string): Promise<void> => {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  return writeLines('stdout', [json ? JSON.stringify(text) : text]);
};

/**
 * Prints a secret that the gateway returns only once. Revokes a secret that cannot be printed,
 * because it would be valid and nobody would have it.
 * @param what names the secret, such as `key ID`.
 * @param next says what to do after the revocation.
 * @throws SecretNotShown
 */
export const printSecret = async (
  command: Command,
  value: Value,
  { what, revoke, next }: { what: string; revoke: () => Promise<unknown>; next: string },
): Promise<void> => {
  try {
    await print(command, value);
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    await revoke().catch((cause: Error) => {
      const message = `${error.message} The ${what} is valid and was not revoked: ${cause.message}. Revoke it.`;
      throw new SecretNotShown(message, { cause });
    });
    throw new SecretNotShown(`${error.message} The ${what} was revoked. ${next}`, { cause: error });
  }
};

/** Writes a line for people to standard error. A line that cannot be written is dropped. */
export const note = (text: string): void => void writeLines('stderr', [text]).catch(() => {});

const table = (value: Value, shown?: readonly string[]): string[] => {
  if (!Array.isArray(value))
    return columns(Object.entries(value).map(([k, v]) => [printable(k), cell(v)]));
  if (value.length === 0) return ['(none)'];
  const names = shown ?? [...new Set(value.flatMap((row) => Object.keys(row)))];
  const rows = value.map((row) => names.map((name) => cell(row[name])));
  return columns([names.map((name) => printable(name.toUpperCase())), ...rows]);
};

const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]!.map((_, n) => Math.max(...rows.map((row) => row[n]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, n) => text.padEnd(widths[n]!))
      .join('  ')
      .trimEnd();
  return rows.map(line);
};

/** Returns the text of a cell, already printable: a column's width is that of what is shown. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((v) => typeof v !== 'object'))
    return printable(value.join(', '));
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

/** Returns a message's members by their names in proto; an empty text or an absent member is null. */
export const members = <T extends Message>(
  { fields }: GenMessage<T>,
  message: T,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name, localName }) => {
      const value = (message as Record<string, unknown>)[localName];
      return [name, value === '' || value === undefined ? null : value];
    }),
  );

/** Returns null for proto's empty string. */
export const orNull = (text: string): string | null => (text === '' ? null : text);
