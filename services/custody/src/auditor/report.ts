import type { Mailer } from '@pto/mail';
import {
  type AuditKind,
  type Violation as StoredViolation,
  ViolationService,
} from '@pto/proto/orders/v1/violations';
import { type ConnectClientOptions, connectClient } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { identityOf, type Violation } from '../verification/violation.ts';

/** A completed audit, for operators. */
interface Completed {
  readonly kind: AuditKind;
  readonly violations: number;
}

const recordMax = 1000;
/** Maximum number of violations that a mail lists. */
const namedMax = 50;

const rejectedText =
  'the mail server rejected recipients of the mail about violations: correct OPERATOR_MAIL';

/**
 * Reports violations to orders, which stores them outside the ledger's database, and to operators
 * in the log and by mail. One mail contains the new violations of up to 1000 reported ones. Orders
 * stores which violations operators were notified of, so a restarted auditor does not mail them
 * again. If a mail fails, the next report sends it again.
 */
export const createReporter = (options: {
  mailer: Mailer;
  to: readonly string[];
  orders: Omit<ConnectClientOptions, 'server'>;
  telemetry: Telemetry;
}) => {
  const { mailer, to, telemetry } = options;
  const client = connectClient(ViolationService, { ...options.orders, server: 'orders' });

  const notify = async (violations: readonly StoredViolation[]): Promise<void> => {
    if (violations.length === 0) return;
    for (const { id, orderId, entryId, reason } of violations)
      telemetry.log.error({ violation: id, orderId, entryId, reason }, 'integrity violation');
    if (mailer.works && to.length > 0) {
      const mail = { to, subject: subjectOf(violations), text: textOf(violations) };
      const { rejected } = await mailer.send(mail);
      if (rejected.length > 0) telemetry.log.error({ rejected }, rejectedText);
    }
    await client.recordViolations({ notifiedIds: violations.map(({ id }) => id) });
  };

  return {
    /**
     * Sends violations to orders, then notifies operators of those that are new.
     * @param completed the audit that these violations complete, with the number of all that it found.
     * @returns the number of stored violations that are neither acknowledged nor resolved.
     * @throws Failure while orders is unavailable, and the error of a failed mail.
     */
    report: async (found: readonly Violation[], completed?: Completed): Promise<number> => {
      const distinct = [...new Map(found.map((one) => [identityOf(one), one])).values()];
      let open = 0;
      for (let n = 0; n === 0 || n < distinct.length; n += recordMax) {
        const isLast = n + recordMax >= distinct.length;
        const stored = await client.recordViolations({
          found: distinct.slice(n, n + recordMax),
          ...(isLast && completed && { completed }),
        });
        await notify(stored.unnotified);
        open = stored.open;
      }
      return open;
    },
    /**
     * Resolves stored violations that the completed full audit has not found.
     * @param found identities of the violations that it has found.
     */
    resolveOthers: async (found: readonly string[]): Promise<void> => {
      const still = new Set(found);
      for (let pageToken: string | null = ''; pageToken !== null; ) {
        const page: Awaited<ReturnType<typeof client.listViolations>> = await client.listViolations(
          { pageSize: recordMax, pageToken },
        );
        const resolved = page.violations.filter((one) => !still.has(identityOf(one)));
        if (resolved.length > 0)
          await client.recordViolations({ resolvedIds: resolved.map(({ id }) => id) });
        pageToken = page.nextPageToken || null;
      }
    },
  };
};

const subjectOf = (violations: readonly StoredViolation[]): string =>
  `Custody ledger: ${violations.length} integrity ${violations.length === 1 ? 'violation' : 'violations'}`;

const textOf = (violations: readonly StoredViolation[]): string =>
  [
    'The auditor found that the custody ledger contradicts itself or what others hold of it:',
    '',
    ...violations
      .slice(0, namedMax)
      .map(({ orderId, entryId, reason }) =>
        orderId === ''
          ? `- the log: ${reason}`
          : `- order ${orderId}${entryId === '' ? '' : `, entry ${entryId}`}: ${reason}`,
      ),
    ...(violations.length > namedMax ? [`- and ${violations.length - namedMax} more`] : []),
    '',
    'Change nothing in the database before it has been copied.',
    'To see all violations: operator ledger violations',
    'When people have looked at one: operator ledger acknowledge ORDER --reason TEXT',
    'For the log, the ID of that list instead: operator ledger acknowledge ID --violation --reason TEXT',
    '',
  ].join('\n');
