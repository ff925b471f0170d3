import type { ShowLogResponse } from '@pto/proto/custody/v1/custody';
import { CheckedAt } from '../../parts/checked-at.tsx';
import { counted } from '../../parts/counted.ts';
import type { MeasuredRow, useMeasurements } from '../../parts/use-measurements.ts';

/**
 * Says first what is wrong with the ledger, if something is, then what was verified, of how much and
 * when.
 */
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
    recent && `the new ones verified ${recent} ago`,
    whole && `the whole ledger verified ${whole} ago`,
    !isAudited && 'no audit has ended yet',
    log && `${log.size === log.anchoredSize ? 'all' : log.anchoredSize} of them anchored`,
  ]
    .filter(Boolean)
    .join(', ');
  return wrong.length === 0 ? (
    <p className={`verdict ${isAudited ? 'good' : 'faint'}`} role="status">
      {isAudited ? 'The ledger is sound' : 'Not known yet'}: {sentence}. <CheckedAt query={query} />
    </p>
  ) : (
    <div className="verdict bad" role="alert">
      <strong>{wrong.map((row) => wordsOf(row, log)).join('; ')}.</strong> The ledger has {sentence}
      . <CheckedAt query={query} />
    </div>
  );
};

const wordsOf = ({ name, process, what, value, number }: MeasuredRow, log?: ShowLogResponse) => {
  if (name === '') return `${process} does not respond`;
  if (name === 'custody_violations_open')
    return `${counted(number, 'integrity violation is', 'integrity violations are')} open`;
  if (name === 'custody_log_halted') return `The log is halted: ${log?.halted ?? ''}`;
  return `${what}: ${value}${/_audit_seconds$/.test(name) ? ' ago, which is late' : ''}`;
};
