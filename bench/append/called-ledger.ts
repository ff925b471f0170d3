import { messageVerifier } from '@pto/message-authentication';
import { appendEvents } from '../../services/custody/src/chain/append.ts';
import { ledgerSide } from './ledger-side.ts';
import { ordersKeys, signAsCustody } from './order-event.ts';

const verifyAsCustody = messageVerifier({
  sender: 'orders',
  recipient: 'custody',
  keys: ordersKeys,
});

/** The ledger: an append is verified, linked, queued for the log and announced with two proofs of origin. */
export const calledLedger = () =>
  ledgerSide((db) => ({
    name: 'ledger',
    append: async (messages) => {
      if (messages.some(verifyAsCustody)) throw new Error('an event is not authentic');
      await db.transaction((tx) => appendEvents(messages, tx, signAsCustody));
    },
  }));
