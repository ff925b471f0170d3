/** Plain English for the values of vocabularies. */
import type { Words } from '../parts/words.ts';

export const english: Words = {
  ...{ pickup: 'pick-up', dropoff: 'drop-off', 'pickup started': 'pick-up started' },
  ...{ shipper: 'sender', consignee: 'recipient', 'id checked': 'checked identity' },
  ...{ scan: 'scan of the seals', code: 'code of the other side' },
};
