import { type ReactNode, useDeferredValue } from 'react';
import { type OpenIncident, rankOf } from '../../board/columns.ts';
import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../badge.tsx';
import { concernOf } from '../incidents.tsx';
import { LinkedText } from '../linked-text.tsx';
import { Next, type Waits } from '../next.tsx';
import { Pages, usePageId } from '../pages.tsx';
import { Priority } from '../priority.tsx';
import type { Schemas } from '../schemas.ts';
import { shortId } from '../short-id.ts';
import { type Column, Table } from '../table.tsx';
import { Text } from '../text.tsx';
import { Time } from '../time.tsx';
import { useAddress } from '../use-address.ts';
import { useEnterOpens } from '../use-enter-opens.ts';
import { t } from '../words.ts';

/** A row of the list. */
export interface OrderRow extends Waits, Pick<Schemas['Order'], 'id' | 'external_id' | 'sla'> {
  readonly open_incidents?: readonly Pick<OpenIncident, 'kind' | 'severity'>[];
  readonly has_custody_fault?: boolean;
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
  readonly organization_id?: string;
  /** For operators: who has the goods or fetches them. */
  readonly carrier?: string;
  readonly changed: string;
}

type NameOf = ((organizationId: string) => string) | undefined;

const columnsWith = (nameOf: NameOf): readonly Column<OrderRow>[] => [
  [
    'Order',
    ({ id, external_id, sla }) => (
      <>
        <LinkedText of={external_id ?? shortId(id)} at={`/orders/${id}`} className="order" />{' '}
        {sla !== 'STANDARD' && <Priority of={sla} />}
      </>
    ),
  ],
  [
    'Status',
    ({ status, open_incidents: open = [], has_custody_fault }) => (
      <>
        <Badge of={status} />
        {open.length > 0 && <span className="badge bad">{worstOf(open)}</span>}
        {has_custody_fault && <span className="badge bad">{t('custody fault')}</span>}
      </>
    ),
    'state',
  ],
  [
    'Route',
    ({ from, to }) => (
      <span className="whole">
        <Text of={[from, to].filter(Boolean).join(' → ')} />
      </span>
    ),
  ],
  ...(nameOf
    ? ([
        ['Organization', ({ organization_id: of = '' }) => nameOf(of)],
        ['Carrier', ({ carrier }) => carrier],
      ] satisfies Column<OrderRow>[])
    : []),
  ['Next', (row) => <Next of={row} />, 'named'],
  ['Changed', ({ changed }) => <Time at={changed} />, 'dropped'],
];

/** Names the severest open incident, of equals one of temperature, and how many there are beside it. */
const worstOf = (open: NonNullable<OrderRow['open_incidents']>): string => {
  const weightOf = (one: (typeof open)[number]) =>
    2 * rankOf(one) + Number(one.kind === 'temperature');
  const word = concernOf(
    open.reduce((worst, one) => (weightOf(one) > weightOf(worst) ? one : worst)),
  );
  return open.length === 1 ? word : `${word} +${open.length - 1}`;
};

/** What the list of orders reads, and what differs for the two audiences. */
interface Orders {
  /** Of the filters, for the cache. */
  readonly filter: readonly string[];
  readonly read: (
    searched: string,
    after: string,
  ) => Promise<{ readonly rows: readonly OrderRow[]; readonly next: string | null | undefined }>;
  readonly everyMs?: () => number;
  /** Names the organizations, for operators. */
  readonly nameOf?: NameOf;
  readonly placeholder: string;
  readonly empty: (searched: string, hasOlder: boolean) => string;
  /** Filters beside the search. */
  readonly children: (searched: string) => ReactNode;
}

/** Orders, newest first, live. The search and the filters stay in the page's address. */
export const OrderList = ({ read, ...shown }: Orders) => {
  const address = useAddress();
  const text = address.get('q');
  const after = usePageId();
  const searched = useDeferredValue(text.trim());
  const query = useCall(['orders', searched, ...shown.filter, after], () => read(searched, after), {
    live: true,
    everyMs: shown.everyMs,
  });
  const openOnEnter = useEnterOpens(
    text,
    query.isSuccess && !query.isPlaceholderData ? searched : undefined,
    query.data?.rows.map(({ id }) => id) ?? [],
  );
  return (
    <>
      <div className="bar">
        <h1>{t('Orders')}</h1>
        <input
          id="search"
          type="search"
          aria-label={t('Search orders')}
          placeholder={t(shown.placeholder)}
          value={text}
          maxLength={255}
          onChange={({ target: { value } }) => address.set({ q: value }, { isTyped: true })}
          onKeyDown={openOnEnter}
        />
        {shown.children(searched)}
      </div>
      <Table
        query={query}
        rows={({ rows }) => rows}
        columns={columnsWith(shown.nameOf)}
        caption="Orders"
        empty={t(shown.empty(searched, Boolean(query.data?.next)))}
      />
      <Pages next={query.data?.next ?? undefined} />
    </>
  );
};
