/** The last audits of the ledger, as the auditor reports them, for `operator status`. */
import { clockTimestamp, type Database, execute, fragment, type Sql } from '@pto/database';
import { within } from '@pto/lifecycle';
import { AuditKind, type CompletedAudit } from '@pto/proto/orders/v1/violations';
import { type Metrics, sampledGauges } from '@pto/telemetry';
import { tables } from './schema/tables.ts';

const names = { [AuditKind.NEW_ENTRIES]: 'new_entries', [AuditKind.FULL]: 'full' } as const;
type KnownKind = keyof typeof names;

/** Whether the kind is one that the auditor completes. */
export const isKnownKind = (kind: AuditKind): kind is KnownKind => kind in names;

/** Stores that an audit was completed now, and how many violations it found. */
export const recordAudit = (
  sql: Sql,
  { kind, violations }: Pick<CompletedAudit, 'violations'> & { kind: KnownKind },
) =>
  execute(
    sql,
    tables
      .updateTable('ledger_audits')
      .set({ completed_at: clockTimestamp, violations })
      .where('kind', '=', names[kind]),
  );

const readAudits = (sql: Sql) =>
  execute(
    sql,
    tables
      .selectFrom('ledger_audits')
      .select(({ ref }) => [
        'kind',
        'violations',
        fragment<number>`extract(epoch from clock_timestamp() - ${ref('completed_at')})::float8`.as(
          'seconds',
        ),
      ]),
  );

const sampleTimeoutMs = 1000;

/** Registers the age and the result of the last audits, which each scrape reads. */
export const watchAudits = (db: Database, metrics: Metrics): void => {
  const look = async () => {
    const rows = await within(sampleTimeoutMs, 'the audits', readAudits(db)).catch(() => []);
    const [newEntries, full] = ['new_entries', 'full'].map((name) =>
      rows.find(({ kind }) => kind === name),
    );
    return {
      seconds: newEntries?.seconds ?? null,
      violations: newEntries?.violations ?? null,
      fullSeconds: full?.seconds ?? null,
      fullViolations: full?.violations ?? null,
    };
  };
  const gauge = sampledGauges(metrics, look);
  const since = 'or since the first start of a version that stores it';
  gauge(
    'custody_last_audit_seconds',
    `Seconds since the auditor reported an audit of all new entries, ${since}`,
    'seconds',
  );
  gauge(
    'custody_last_audit_violations',
    'Integrity violations that the last audit of new entries found',
    'violations',
  );
  gauge(
    'custody_last_full_audit_seconds',
    `Seconds since the auditor reported a full audit of all history, ${since}`,
    'fullSeconds',
  );
  gauge(
    'custody_last_full_audit_violations',
    'Integrity violations that the last full audit found; 10,000 stands for more, too',
    'fullViolations',
  );
};
