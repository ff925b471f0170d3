import type { Process } from '../calls/clients.ts';
import { Finding } from '../parts/finding.tsx';
import { measuredOf } from '../parts/measured.ts';
import { Measurements } from '../parts/measurements.tsx';
import { type MeasuredRow, useMeasurements } from '../parts/use-measurements.ts';
import { Log, useLog } from './ledger/log.tsx';
import { LedgerVerdict } from './ledger/verdict.tsx';
import { Violations } from './ledger/violations.tsx';

const measuring: readonly Process[] = ['custody', 'orders'];
const isShown = ({ name }: MeasuredRow): boolean =>
  ['ledger', 'services'].includes(measuredOf(name).group);

/** The ledger: whether it is sound, what the audits found, its numbers and its log. */
export const LedgerPage = () => {
  const query = useMeasurements({ of: measuring });
  const log = useLog();
  const rows = query.data?.filter(isShown) ?? [];
  const wrong = rows.filter(({ runbook }) => runbook !== undefined);
  const isBad = wrong.length > 0;
  // violations have a table of their own
  const isLate = wrong.some(({ name }) => name !== 'custody_violations_open');
  return (
    <>
      <h1>Ledger</h1>
      <LedgerVerdict query={query} rows={rows} log={log.data} />
      <Finding
        query={query}
        tone={isBad ? 'bad' : rows.length === 0 ? 'none' : 'good'}
        says={
          isBad
            ? 'Something is late or wrong.'
            : rows.length === 0
              ? 'Nothing is measured.'
              : 'Audits and anchors are in time.'
        }
        isOpen={isLate}
      >
        <Measurements query={query} shows={isShown} />
      </Finding>
      <Log query={log} />
      <Violations />
    </>
  );
};
