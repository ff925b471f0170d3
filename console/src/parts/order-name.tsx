import { Link } from 'wouter';
import { CopyId } from './copy.tsx';
import { shortId } from './short-id.ts';
import { Text } from './text.tsx';

/** An order in a list of other things: its reference, linked, and its id. */
export const OrderName = ({
  id,
  reference,
}: {
  id: string;
  reference: string | null | undefined;
}) => (
  <>
    <Link href={`/orders/${id}`} className="order">
      <Text of={reference || shortId(id)} />
    </Link>{' '}
    {reference && <CopyId of={id} />}
  </>
);
