import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';

/** An event's bytes with another id and number, and the proof of origin that it had. */
type Forgery = (value: Uint8Array, id: string, sequence: number) => Uint8Array;

/** By the topic's short name. */
export const forgeries: Readonly<Record<'orders' | 'custody', Forgery>> = {
  orders: (value, id, sequence) => {
    const event = fromBinary(OrderEventSchema, value);
    return toBinary(OrderEventSchema, { ...event, id, sequence });
  },
  custody: (value, id, sequence) => {
    const { event, ...rest } = fromBinary(CustodyEventSchema, value);
    const forged = { ...event!, id, sequence };
    return toBinary(CustodyEventSchema, { ...rest, event: forged, sequence });
  },
};
