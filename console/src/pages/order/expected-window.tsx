import { nextStopOf } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { clockIn, instantIn, timeZoneOf } from '@pto/representation';
import { useState } from 'react';
import { changesOf } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { PlaceTime } from '../../parts/place-time.tsx';
import { Text } from '../../parts/text.tsx';
import { Field, FormWindow } from '../../parts/window.tsx';
import { nameOf } from '../now/step-window.tsx';

/** Reports when the driver expects to be at the next stop, by the clock of its place. */
export const ExpectedWindow = ({ order, onClose }: { order: Order; onClose: () => void }) => {
  // as it was when the window opened: another stop may be the next one meanwhile
  const [{ status, pickupLocation, dropoffLocation, pickupEta, dropoffEta }] = useState(order);
  const stop = nextStopOf(status)!;
  const { city, country } = (stop === 'pickup' ? pickupLocation : dropoffLocation)!;
  const [zone, eta] = [timeZoneOf(country) ?? 'UTC', stop === 'pickup' ? pickupEta : dropoffEta];
  const [clock, setClock] = useState(() => clockIn(zone, eta ? Date.parse(eta) : Date.now()));
  const at = clock && new Date(instantIn(zone, clock)).toISOString();
  return (
    <FormWindow
      title={`Expected time: ${nameOf(order)}`}
      verb="Report"
      isRepeatable
      onClose={onClose}
      changes={changesOf(order.id)}
      submit={() => clients.orders.reportExpectedTime({ orderId: order.id, stop, at })}
    >
      <Field
        label={stop === 'pickup' ? 'At the pick-up' : 'At the drop-off'}
        name="at"
        type="datetime-local"
        max="9999-12-31T23:59"
        required
        value={clock}
        onChange={({ target: { value } }) => setClock(value)}
      />
      <p className="faint">
        By the clock of <Text of={city} />
        {at && (
          <>
            : <PlaceTime at={at} country={country} />
          </>
        )}
        . It is shown as the driver’s word.
      </p>
    </FormWindow>
  );
};
