import { useRef } from 'react';
import { failureOf } from './failure.ts';

/** Sends a command by its name with an id. */
export type WithCommandId = <Response>(
  name: string,
  send: (commandId: string) => Promise<Response>,
) => Promise<Response>;

/**
 * Returns a function that sends a command with a command id. The id stays the same until
 * the command has an answer, also in a dialog that is closed and opened again: a repetition then has
 * no second effect.
 */
export const useCommandIds = (): WithCommandId => {
  const ids = useRef(new Map<string, string>());
  return async (name, send) => {
    const id = ids.current.get(name) ?? crypto.randomUUID();
    ids.current.set(name, id);
    try {
      const response = await send(id);
      ids.current.delete(name);
      return response;
    } catch (error) {
      if (!failureOf(error).isOpen) ids.current.delete(name);
      throw error;
    }
  };
};
