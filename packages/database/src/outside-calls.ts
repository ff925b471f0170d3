/**
 * Finds calls to the outside world inside of transactions, in tests. A transaction that waits for
 * another process keeps its locks and its connection meanwhile, and may run again. With
 * FORBID_OUTSIDE_CALLS=1 such a transaction is rolled back. The variable is for end-to-end tests: the
 * watch costs each transaction a little.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

interface OpenTransaction {
  isOpen: boolean;
  /** The first outside call, where there was one. */
  call?: Error;
}

/** What Node reports at the moment a call begins; fetch and the RPC clients are among them. */
const channels = {
  'http.client.request.start': 'an HTTP request',
  'undici:request:create': 'a fetch',
  'http2.client.stream.created': 'an RPC',
};

/** Of one database. */
export interface OutsideCalls {
  /** Runs a transaction's work. It is rejected after it has made a call to the outside. */
  watch<T>(work: () => Promise<T>): Promise<T>;
  /** To be called when another connection is to be used. */
  secondConnection(): void;
  close(): void;
}

const unwatched: OutsideCalls = {
  watch: (work) => work(),
  secondConnection: () => {},
  close: () => {},
};

/**
 * With FORBID_OUTSIDE_CALLS=1 an HTTP request and an RPC are outside calls. So is a second connection
 * to the same database: while all connections are in transactions, each waits for another.
 */
export const openOutsideCalls = (): OutsideCalls => {
  if (process.env.FORBID_OUTSIDE_CALLS !== '1') return unwatched;
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
    watch: async (work) => {
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
