import { Link } from 'wouter';
import { useMay } from '../../parts/me.ts';
import { shortId } from '../../parts/short-id.ts';
import { type Column, Rows } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { useUntold } from '../../parts/use-untold.ts';

type Row = readonly [orderId: string, endpointAddress: string];

const columns: readonly Column<Row>[] = [
  ['Order', ([id]) => <Link href={`/orders/${id}`}>{shortId(id)}</Link>],
  ['Endpoint', ([, address]) => <Text of={address} />],
];

/** Orders of which an endpoint was not told, live; those that are open are exceptions of Now, too. */
export const UntoldOrders = () => {
  const isPermitted = useMay()('support', 'dispatcher', 'admin');
  const untold = useUntold();
  if (!isPermitted || untold === undefined) return null;
  return (
    <section aria-label="Orders that an endpoint was not told of">
      <h2>Orders that an endpoint was not told of</h2>
      <Rows
        of={[...untold]}
        id={([id]) => id}
        columns={columns}
        caption="Orders that an endpoint was not told of"
        empty="Every endpoint was told of its orders."
      />
    </section>
  );
};
