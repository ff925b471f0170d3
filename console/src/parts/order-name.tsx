import { CopyId } from './copy.tsx';
import { LinkedText } from './linked-text.tsx';
import { shortId } from './short-id.ts';

/** An order in a list of other things: its reference, linked, and its id. */
export const OrderName = ({
  id,
  reference,
}: {
  id: string;
  reference: string | null | undefined;
}) => (
  <>
    <LinkedText of={reference || shortId(id)} at={`/orders/${id}`} className="order" />{' '}
    {reference && <CopyId of={id} />}
  </>
);
