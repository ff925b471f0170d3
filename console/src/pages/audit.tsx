import type { Action } from '@pto/proto/operators/v1/operators';
import { useState } from 'react';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { useMay } from '../parts/me.ts';
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
  const [beforeIds, setBeforeIds] = useState<readonly string[]>([]);
  const beforeId = beforeIds.at(-1) ?? '';
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
        <input
          aria-label="Operator"
          placeholder="Operator"
          onChange={({ target: { value } }) => {
            setOperator(value.trim());
            setBeforeIds([]);
          }}
        />
        <input
          aria-label="Action"
          placeholder="Action, such as RevokeKey"
          onChange={({ target: { value } }) => {
            setAction(value.trim());
            setBeforeIds([]);
          }}
        />
        <input
          aria-label="Target"
          defaultValue={target}
          placeholder="Target: an id or a name"
          onChange={({ target: { value } }) => {
            setTarget(value.trim());
            setBeforeIds([]);
          }}
        />
      </div>
      <Table
        query={query}
        rows={({ actions }) => actions}
        id={({ id }) => id}
        columns={columns}
        caption="Actions"
        empty="No action is here."
      />
      <div className="pages">
        {beforeIds.length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => setBeforeIds(beforeIds.slice(0, -1))}
          >
            Newer
          </button>
        )}
        {query.data?.nextId && (
          <button
            type="button"
            className="quiet"
            onClick={() => setBeforeIds([...beforeIds, query.data.nextId])}
          >
            Older
          </button>
        )}
      </div>
    </>
  );
};
