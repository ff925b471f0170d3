import type { Subscription } from './bus.ts';

/** Returns the publications and subscriptions of a bus that are not over, for its `close`. */
export const createOpenWork = () => {
  const publishing = new Set<Promise<void>>();
  const subscriptions = new Set<Subscription>();
  return {
    /** Notes a publication until it is over. Resolves or rejects as the publication does. */
    publish: async (sent: Promise<void>): Promise<void> => {
      publishing.add(sent);
      await sent.finally(() => publishing.delete(sent));
    },
    /** Notes a subscription until it is stopped. Stopping the result twice stops it once. */
    subscribe: (opened: Subscription): Subscription => {
      const subscription = {
        stop: async () => {
          if (subscriptions.delete(subscription)) await opened.stop();
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    /** Stops all subscriptions, then waits for the publications. Never rejects. */
    end: async (): Promise<void> => {
      await Promise.allSettled([...subscriptions].map((each) => each.stop()));
      await Promise.allSettled(publishing);
    },
  };
};
