/**
 * Detects outside calls in transactions (docs/glossary.md). A transaction that waits for an outside
 * call keeps its locks and its connection, and a retried transaction repeats the call. With
 * FORBID_OUTSIDE_CALLS=1 a transaction with an outside call is rolled back. Only end-to-end tests
 * set the variable, because the detection slows each transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

interface OpenTransaction {
  isOpen: boolean;
  /** Error for the first outside call, if there was one. */
  call?: Error;
}

/**
 * Node's diagnostics channels for outgoing calls, with the name of each kind of call. They cover
 * fetch and the RPC clients.
 */
const channels = {
  'http.client.request.start': 'an HTTP request',
  'undici:request:create': 'a fetch',
  'http2.client.stream.created': 'an RPC',
};

/**
 * Starts the detection. HTTP requests and RPCs are outside calls. The use
 * of a second connection to the same database is an outside call as well, because transactions that
 * each wait for another connection can deadlock when the pool is exhausted.
 */
export const openOutsideCalls = () => {
  const transactions = new AsyncLocalStorage<OpenTransaction>();
  const note = (what: string) => {
    const transaction = transactions.getStore();
    if (transaction?.isOpen)
      transaction.call ??= new Error(`${what} was used inside of a transaction`);
  };
  const subscribers = Object.entries(channels).map(([channel, what]) => ({
    channel,
    made: () => note(what),
  }));
  for (const { channel, made } of subscribers) subscribe(channel, made);
  return {
    // rejects after work that made an outside call, so its transaction is rolled back
    watch: async <T>(work: () => Promise<T>): Promise<T> => {
      const transaction: OpenTransaction = { isOpen: true };
      try {
        const result = await transactions.run(transaction, work);
        if (transaction.call) throw transaction.call;
        return result;
      } finally {
        transaction.isOpen = false;
      }
    },
    secondConnection: () => note('a second connection to the database'),
    close: () => {
      for (const { channel, made } of subscribers) unsubscribe(channel, made);
    },
  };
};
