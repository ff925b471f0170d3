import type { Order } from '@pto/proto/orders/v1/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { boardKey } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { useMay } from '../../parts/me.ts';
import { Confirm } from '../../parts/window.tsx';

/** Says which codes of wards are locked; a dispatcher gives that side another one. */
export const LockedCodes = ({ order: { id, lockedCodes } }: { order: Order }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [side, setSide] = useState<string>();
  const unlock = async () => {
    await clients.orders.unlockHandoverCode({ orderId: id, side: side! });
    const keys = [['order', id], boardKey];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  return (
    <>
      {lockedCodes.map((one) => (
        <p key={one} className="error" role="alert">
          The code of the {one} is locked after five wrong ones.{' '}
          {may('dispatcher') && (
            <button type="button" className="quiet small" onClick={() => setSide(one)}>
              Unlock
            </button>
          )}
        </p>
      ))}
      {side !== undefined && (
        <Confirm
          title={`Unlock the code of the ${side}`}
          text="The link of that side shows another code from now on. The old one is no longer accepted."
          isRepeatable
          onClose={() => setSide(undefined)}
          actions={{ Unlock: unlock }}
        />
      )}
    </>
  );
};
