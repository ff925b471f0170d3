import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from '../parts/me.ts';
import { Pages, usePageId } from '../parts/pages.tsx';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { useAddress } from '../parts/use-address.ts';
import { actsOf, Call, columnsWith } from './audit/columns.tsx';
import { AuditFilters } from './audit/filters.tsx';
import { isId, useNames } from './audit/names.tsx';

const pageSize = 50;
const dayMs = 86_400_000;

/** Returns the beginning of a day in UTC, or of one after it; empty: none, or no day. */
const startOf = (day: string, daysAfter = 0): string =>
  Number.isNaN(Date.parse(day)) ? '' : new Date(Date.parse(day) + daysAfter * dayMs).toISOString();

/** What operators changed, or every call of theirs. The reads of this page's reader are the most. */
export const AuditPage = () =>
  useMay()('auditor') ? (
    <AuditLog />
  ) : (
    <>
      <h1>Audit log</h1>
      <p className="empty">The audit log needs the role auditor.</p>
    </>
  );

const AuditLog = () => {
  const address = useAddress();
  const target = address.get('target').trim();
  const filter = {
    operator: address.get('operator').trim(),
    action: address.get('action').trim(),
    target,
    since: startOf(address.get('from')),
    until: startOf(address.get('to'), 1),
    changesOnly: address.get('show') !== 'all',
    beforeId: usePageId(),
  };
  const query = useCall(['audit', filter], () =>
    clients.audit.listActions({ ...filter, pageSize }),
  );
  const names = useNames(target);
  return (
    <>
      <h1>Audit log</h1>
      <AuditFilters />
      {[filter.operator, target].some(isId) && (
        <p>
          Shown are actions
          {Object.entries({ of: filter.operator, on: target }).map(
            ([word, id]) =>
              id && (
                <span key={word}>
                  {` ${word} `}
                  <strong>
                    <Text of={names.get(id) ?? id} />
                  </strong>
                </span>
              ),
          )}
          . <Link href="/audit">Show all</Link>
        </p>
      )}
      <Table
        query={query}
        rows={({ actions }) => actsOf(actions)}
        id={([{ id }]) => id}
        columns={columnsWith(names)}
        caption="Actions"
        empty="No call matches. Empty a filter to see more."
        folded={(act) => act.map((one) => <Call key={one.id} of={one} />)}
      />
      <Pages next={query.data?.nextId} />
    </>
  );
};
