import { Link } from 'wouter';
import { useOrderName } from '../../board/use-order-name.ts';
import { counted } from '../../parts/counted.ts';
import { Finding } from '../../parts/finding.tsx';
import { useMay } from '../../parts/me.ts';
import { type Column, Rows } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { useUntoldQuery } from '../../parts/use-untold.ts';

/** More orders are folded at first. */
const openMax = 5;

type Row = readonly [orderId: string, endpointAddress: string];

/** Orders of which an endpoint was not told, live; those that are open are exceptions of Now, too. */
export const UntoldOrders = () => {
  const isPermitted = useMay()('support', 'dispatcher', 'admin');
  const { orders: untold, query } = useUntoldQuery();
  const nameOf = useOrderName();
  if (!isPermitted) return null;
  const rows = [...(untold ?? [])];
  const columns: readonly Column<Row>[] = [
    [
      'Order',
      ([id]) => (
        <Link href={`/orders/${id}`} className="order">
          {nameOf(id)}
        </Link>
      ),
    ],
    ['Endpoint', ([, address]) => <Text of={address} />],
  ];
  return (
    <section aria-label="Orders that an endpoint was not told of">
      <Finding
        query={query}
        tone={rows.length === 0 ? 'good' : 'warns'}
        says={
          rows.length === 0
            ? 'Every endpoint was told of its orders.'
            : `${counted(rows.length, 'order is', 'orders are')} unknown to an endpoint.`
        }
        isOpen={rows.length > 0 && rows.length <= openMax}
      >
        {rows.length > 0 && (
          <Rows
            of={rows}
            id={([id]) => id}
            columns={columns}
            caption="Orders that an endpoint was not told of"
            empty=""
          />
        )}
      </Finding>
    </section>
  );
};
