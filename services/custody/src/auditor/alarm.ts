import type { Mailer } from '@pto/mail';
import type { Telemetry } from '@pto/telemetry';
import type { Fault } from '../verification/check-chain.ts';

/** Faults that were told already are kept, up to so many. */
const toldMax = 10_000;
/** So many are named in a mail. */
const namedMax = 50;

/**
 * Tells of each fault once: a log line, the order's mark, and one mail for all that a pass found new.
 * What could not be told is told after the next pass.
 */
export const createAlarm = (options: {
  mailer: Mailer;
  to: readonly string[];
  mark(orderId: string, reason: string): Promise<void>;
  telemetry: Telemetry;
}) => {
  const { mailer, to, mark, telemetry } = options;
  const told = new Set<string>();
  const nameOf = ({ orderId, entryId, reason }: Fault) => `${orderId} ${entryId} ${reason}`;
  return async (faults: readonly Fault[]): Promise<void> => {
    const fresh = faults.filter((fault) => !told.has(nameOf(fault)));
    if (fresh.length === 0) return;
    for (const { orderId, entryId, reason } of fresh)
      telemetry.log.error({ orderId, entryId, reason }, 'the ledger is not what it must be');
    for (const { orderId, reason } of fresh) if (orderId !== '') await mark(orderId, reason);
    if (mailer.works && to.length > 0)
      await mailer.send({ to, subject: subjectOf(fresh), text: textOf(fresh) });
    if (told.size > toldMax) told.clear();
    for (const fault of fresh) told.add(nameOf(fault));
  };
};

const subjectOf = (faults: readonly Fault[]): string =>
  `Custody ledger: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} found`;

const textOf = (faults: readonly Fault[]): string =>
  [
    'The auditor found that the custody ledger is not what it must be:',
    '',
    ...faults
      .slice(0, namedMax)
      .map(({ orderId, entryId, reason }) =>
        orderId === ''
          ? `- the log: ${reason}`
          : `- order ${orderId}${entryId === '' ? '' : `, entry ${entryId}`}: ${reason}`,
      ),
    ...(faults.length > namedMax ? [`- and ${faults.length - namedMax} more`] : []),
    '',
    'Change nothing in the database before it has been copied as it is.',
    'To see all faults again: operator ledger verify',
    '',
  ].join('\n');
