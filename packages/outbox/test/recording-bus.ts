import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, OutgoingMessage } from '@pto/bus';

/**
 * A slow bus in memory for several relays. It records what each relay sends, and whether two of them
 * send rows of one key at the same time.
 */
export const recordingBus = (latencyMs = 15) => {
  const arrived: { relay: string; key: string; n: number }[] = [];
  const sending = new Map<string, string>();
  const overlaps: string[] = [];
  return {
    overlaps,
    arrived: () => arrived.length,
    /** The relays that have sent rows. */
    senders: () => new Set(arrived.map(({ relay }) => relay)),
    /** The numbers of each key in the order in which they arrived, those of repetitions too. */
    numbers: () =>
      new Map(
        [...Map.groupBy(arrived, ({ key }) => key)].map(([key, rows]) => [
          key,
          rows.map(({ n }) => n),
        ]),
      ),
    /** The bus as one relay sees it. */
    of: (relay: string): Pick<Bus, 'publish' | 'ends' | 'lag'> => ({
      ends: async () => new Map([[0, 0n]]),
      lag: async () => 0,
      publish: async (messages: readonly OutgoingMessage[]) => {
        const keys = new Set(messages.map(({ key }) => key));
        for (const key of keys) {
          const other = sending.get(key);
          if (other !== undefined) overlaps.push(`${key}: ${other} and ${relay}`);
          sending.set(key, relay);
        }
        await sleep(latencyMs * (0.5 + Math.random()));
        for (const { key, value } of messages)
          arrived.push({ relay, key, n: Number(Buffer.from(value)) });
        for (const key of keys) sending.delete(key);
      },
    }),
  };
};
