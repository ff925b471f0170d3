import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, leavesOpen } from '@pto/errors';
import { note } from '@pto/terminal';

const triesMax = 3;
const pauseMs = 300;

/**
 * Sends a command on an order. If it is open whether the command was done, sends it again, at most
 * three times in all: a repetition with the same id takes effect once.
 * @param advice what to do after the last try.
 * @throws Failure of the last try.
 */
export const sendCommand = async <Response>(
  { commandId }: { readonly commandId: string },
  send: () => Promise<Response>,
  advice = `Repeat it with --command-id ${commandId}: it is done once.`,
): Promise<Response> => {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Failure && leavesOpen(error.kind))) throw error;
      if (tries === triesMax) {
        note(`It may have been done. ${advice}`);
        throw error;
      }
      await sleep(pauseMs * tries);
    }
  }
};
