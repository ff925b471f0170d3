import type { Action } from '@pto/proto/operators/v1/operators';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { AddressSelect } from '../parts/address-select.tsx';
import { Badge } from '../parts/badge.tsx';
import { useMay } from '../parts/me.ts';
import { Pages, usePageId } from '../parts/pages.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { ExactTime } from '../parts/time.tsx';
import { useAddress } from '../parts/use-address.ts';

const pageSize = 50;

const columns: readonly Column<Action>[] = [
  ['At', ({ at }) => <ExactTime at={at} />],
  ['Operator', ({ operatorName }) => operatorName],
  ['Action', ({ rpc }) => rpc.slice(rpc.indexOf('/') + 1)],
  [
    'Target',
    ({ target, createdId }) => (
      <>
        {target !== '' && <Text of={target} />}
        {createdId !== '' && <div className="long">created {createdId}</div>}
      </>
    ),
  ],
  ['Outcome', ({ outcome }) => <Badge of={outcome} />],
  ['From', ({ clientAddress }) => clientAddress],
];

const filters = [
  ['operator', 'Operator', 'Operator'],
  ['action', 'Action', 'Action, such as RevokeKey'],
  ['target', 'Target', 'Target: an id or a name'],
] as const;

const kinds = [
  ['', 'Changes only'],
  ['all', 'Every call'],
] as const;

/** What operators changed, or every call of theirs. The reads of this page's reader are the most. */
export const AuditPage = () => {
  const may = useMay();
  const address = useAddress();
  const beforeId = usePageId();
  const operator = address.get('operator').trim();
  const action = address.get('action').trim();
  const target = address.get('target').trim();
  const changesOnly = address.get('show') !== 'all';
  const filter = { operator, action, target, changesOnly, beforeId };
  const query = useCall(
    ['audit', filter],
    () => clients.audit.listActions({ ...filter, pageSize }),
    { enabled: may('auditor') },
  );
  if (!may('auditor')) return <p className="empty">The audit log needs the role auditor.</p>;
  return (
    <>
      <div className="bar">
        <h1>Audit log</h1>
        {filters.map(([name, label, hint]) => (
          <input
            key={name}
            aria-label={label}
            placeholder={hint}
            value={address.get(name)}
            onChange={({ target: { value } }) => address.set({ [name]: value }, { isTyped: true })}
          />
        ))}
        <AddressSelect name="show" label="Calls" options={kinds} />
      </div>
      <Table
        query={query}
        rows={({ actions }) => actions}
        id={({ id }) => id}
        columns={columns}
        caption="Actions"
        empty="No call matches. Empty a filter to see more."
      />
      <Pages next={query.data?.nextId} />
    </>
  );
};
