import type { Telemetry } from '@pto/telemetry';
import type { LostMessages, Positions } from '../../bus.ts';
import type { Start } from './start-offset.ts';

/**
 * Returns a function that logs why a partition continues at another offset: messages are read
 * again, messages were deleted, or the topic was created again. For lost messages the function also
 * calls `lost` and moves the consumer's stored position past them.
 */
export const lossReporter =
  (options: {
    group: string;
    positions?: Positions | undefined;
    lost(range: LostMessages): void;
    telemetry: Telemetry;
  }) =>
  async (topic: string, partition: number, at: bigint, start: Start): Promise<void> => {
    const { group, positions } = options;
    const { log } = options.telemetry;
    const { next, lost, restarted, skipped } = start;
    const where = { group, topic, partition };
    if (skipped)
      log.warn(
        { ...where, from: `${next}` },
        'messages before the committed offset are read again',
      );
    if (restarted) {
      log.error(
        { ...where, expected: `${at}`, from: `${next}` },
        'the offsets of the topic start again: messages that the group had not read are lost',
      );
      options.lost({ topic, partition, from: `${next - 1n}`, to: `${next}` });
    }
    if (!lost && !restarted) return;
    await positions?.save(topic, partition, lost?.to ?? next);
    if (!lost) return;
    const range = { topic, partition, from: `${lost.from}`, to: `${lost.to}` };
    const count = Number(lost.to - lost.from);
    log.error({ group, ...range, count }, 'messages were deleted before the group had read them');
    options.lost(range);
  };
