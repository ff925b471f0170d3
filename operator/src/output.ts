import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { NotShown, printedLines, writeLines } from '@pto/terminal';
import type { Command } from 'commander';

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
  return writeLines('stdout', printedLines(value, { json, columns }));
};

/** Prints a value as one JSON document, with or without --json. @throws NotShown */
export const printJson = (value: Value): Promise<void> =>
  writeLines('stdout', printedLines(value, { json: true }));

/** Prints a text on one line; with --json as a JSON string. @throws NotShown */
export const printText = (command: Command, text: string): Promise<void> => {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  return writeLines('stdout', [json ? JSON.stringify(text) : text]);
};

/**
 * Prints a secret that a service returns only once. Revokes a secret that cannot be printed,
 * because it would be valid and nobody would have it.
 * @param what names the secret, such as `key ID`.
 * @param revoke absent: the secret cannot be revoked alone.
 * @param next says what to do then.
 * @throws SecretNotShown
 */
export const printSecret = async (
  command: Command,
  value: Value,
  { what, revoke, next }: { what: string; revoke?: () => Promise<unknown>; next: string },
): Promise<void> => {
  try {
    await print(command, value);
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
    if (!revoke)
      throw new SecretNotShown(
        `${error.message} The ${what} is valid, and nobody has it. ${next}`,
        {
          cause: error,
        },
      );
    await revoke().catch((cause: Error) => {
      const message = `${error.message} The ${what} is valid and was not revoked: ${cause.message}. Revoke it.`;
      throw new SecretNotShown(message, { cause });
    });
    throw new SecretNotShown(`${error.message} The ${what} was revoked. ${next}`, { cause: error });
  }
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
