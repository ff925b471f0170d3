import type { LockSession } from '@pto/bus';

/**
 * Makes the session receive the channel's notifications. The statement is text because it names no
 * table: it adds the session to the server's list of listeners and reads no relation.
 */
export const listen = async ({ client }: LockSession, channel: string): Promise<void> => {
  await client.query(`listen ${channel}`);
};
