import type { Action } from '@pto/proto/operators/v1/operators';
import { useState } from 'react';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { useMay } from '../parts/me.ts';
import { Pages, usePages } from '../parts/pages.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { ExactTime } from '../parts/time.tsx';

const pageSize = 50;

const columns: readonly Column<Action>[] = [
  ['At (UTC)', ({ at }) => <ExactTime at={at} />],
  ['Operator', ({ operatorName }) => operatorName],
  ['Action', ({ rpc }) => rpc.slice(rpc.indexOf('/') + 1)],
  ['Target', ({ target }) => <span className="long">{target}</span>],
  ['Outcome', ({ outcome }) => <Badge of={outcome} />],
  ['From', ({ clientAddress }) => clientAddress],
];

/** Every call of every operator. */
export const AuditPage = () => {
  const may = useMay();
  const [operator, setOperator] = useState('');
  const [target, setTarget] = useState(
    () => new URLSearchParams(location.search).get('target') ?? '',
  );
  const [action, setAction] = useState('');
  const filters = [
    ['Operator', 'Operator', operator, setOperator],
    ['Action', 'Action, such as RevokeKey', action, setAction],
    ['Target', 'Target: an id or a name', target, setTarget],
  ] as const;
  const pages = usePages();
  const beforeId = pages.id;
  const query = useCall(
    ['audit', operator, action, target, beforeId],
    () => clients.audit.listActions({ operator, action, target, beforeId, pageSize }),
    { enabled: may('auditor') },
  );
  if (!may('auditor')) return <p className="empty">The audit log needs the role auditor.</p>;
  return (
    <>
      <div className="bar">
        <h1>Audit log</h1>
        {filters.map(([label, hint, value, set]) => (
          <input
            key={label}
            aria-label={label}
            placeholder={hint}
            defaultValue={value}
            onChange={(event) => {
              set(event.target.value.trim());
              pages.toFirst();
            }}
          />
        ))}
      </div>
      <Table
        query={query}
        rows={({ actions }) => actions}
        id={({ id }) => id}
        columns={columns}
        caption="Actions"
        empty="No action is here."
      />
      <Pages of={pages} next={query.data?.nextId} />
    </>
  );
};
