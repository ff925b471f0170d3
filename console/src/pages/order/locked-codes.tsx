import type { Order } from '@pto/proto/orders/v1/orders';
import { useState } from 'react';
import { changesOf } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { Confirm } from '../../parts/window.tsx';

/** Says which codes of wards are locked; a dispatcher gives that side another one. */
export const LockedCodes = ({ order: { id, lockedCodes } }: { order: Order }) => {
  const may = useMay();
  const [side, setSide] = useState<string>();
  return (
    <>
      {lockedCodes.map((one) => (
        <p key={one} className="error" role="alert">
          The code of the {one} is locked after five wrong ones.{' '}
          {may('dispatcher') && (
            <QuietButton className="small" onClick={() => setSide(one)}>
              Unlock
            </QuietButton>
          )}
        </p>
      ))}
      {side !== undefined && (
        <Confirm
          title={`Unlock the code of the ${side}`}
          text="The link of that side shows another code from now on. The old one is no longer accepted."
          isRepeatable
          onClose={() => setSide(undefined)}
          changes={changesOf(id)}
          actions={{ Unlock: () => clients.orders.unlockHandoverCode({ orderId: id, side }) }}
        />
      )}
    </>
  );
};
