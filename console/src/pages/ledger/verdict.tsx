import type { ShowLogResponse } from '@pto/proto/custody/v1/custody';
import { CheckedAt } from '../../parts/checked-at.tsx';
import { counted } from '../../parts/counted.ts';
import { Fact } from '../../parts/order-facts.tsx';
import { Time } from '../../parts/time.tsx';
import type { MeasuredRow, useMeasurements } from '../../parts/use-measurements.ts';

/** Says whether the ledger is sound or what is wrong with it, then what was verified and when. */
export const LedgerVerdict = ({
  query,
  rows,
  log,
}: {
  query: ReturnType<typeof useMeasurements>;
  rows: readonly MeasuredRow[];
  log: ShowLogResponse | undefined;
}) => {
  if (!query.data) return null;
  if (query.error)
    return (
      <p className="verdict faint">
        Not known now. <CheckedAt query={query} />
      </p>
    );
  const wrong = rows.filter(({ runbook }) => runbook !== undefined);
  const ageOf = (audit: string) => rows.find(({ name }) => name === audit)?.value;
  const [recent, whole] = [
    ageOf('custody_last_audit_seconds'),
    ageOf('custody_last_full_audit_seconds'),
  ];
  const isAudited = recent !== undefined || whole !== undefined;
  const sentence = [
    log && counted(Number(log.size), 'entry', 'entries'),
    log && `${log.size === log.anchoredSize ? 'all' : log.anchoredSize} anchored`,
    isAudited ? `verified ${recent ?? whole} ago` : 'no audit has ended yet',
  ]
    .filter(Boolean)
    .join(', ');
  const [newest] = log?.checkpoints ?? [];
  const verified = (age: string | undefined) => (age ? `verified ${age} ago` : 'not verified yet');
  return (
    <>
      {wrong.length === 0 ? (
        <p className={`verdict ${isAudited ? 'good' : 'faint'}`} role="status">
          {isAudited ? 'Sound' : 'Not known yet'}: {sentence}. <CheckedAt query={query} />
        </p>
      ) : (
        <div className="verdict bad" role="alert">
          <strong>{wrong.map((row) => wordsOf(row, log)).join('; ')}.</strong> {sentence}.{' '}
          <CheckedAt query={query} />
        </div>
      )}
      <dl className="facts">
        <Fact name="New entries">{verified(recent)}</Fact>
        <Fact name="All entries">{verified(whole)}</Fact>
        {newest && (
          <Fact name="Newest checkpoint">
            {counted(Number(newest.size), 'entry', 'entries')} of {log?.origin}, signed{' '}
            <Time at={newest.signedAt} />
          </Fact>
        )}
      </dl>
    </>
  );
};

const wordsOf = ({ name, process, what, value, number }: MeasuredRow, log?: ShowLogResponse) => {
  if (name === '') return `${process} does not respond`;
  if (name === 'custody_violations_open')
    return `${counted(number, 'integrity violation is', 'integrity violations are')} open`;
  if (name === 'custody_log_halted') return `The log is halted: ${log?.halted ?? ''}`;
  return `${what}: ${value}${/_audit_seconds$/.test(name) ? ' ago, which is late' : ''}`;
};
