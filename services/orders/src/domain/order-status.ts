import { orderStatuses } from '@pto/proto/vocabulary';

export { orderStatuses };

export type OrderStatus = (typeof orderStatuses)[number];
