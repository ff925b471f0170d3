import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { repeatedEvents } from '../../../e2e/deliveries.ts';
import type { StartOptions } from '../../../e2e/local-stack.ts';
import { metric } from '../../../e2e/metric.ts';
import { partner } from '../../../e2e/partner.ts';
import { startReceiver } from '../../../e2e/receiver.ts';
import type { Bed } from '../drill.ts';
import { closedIn, closedOf, startPartners, startReaders, statusText } from './partners.ts';
import { allReceived, requireSound } from './received.ts';
import { behindIngress, openStack, operatorOf, whileScaledToNone } from './stack.ts';

const deadlineMs = 90_000;

interface Load extends StartOptions {
  /** Orders at once; 2 by default. */
  readonly lanes?: number;
  /** Whether partners see only the gateways that are ready, as behind an ingress, and read, too. */
  readonly ingress?: boolean;
}

/** Starts the services under load, and waits for the first orders. */
export const openLoaded = async (bed: Bed, { lanes, ingress, ...options }: Load = {}) => {
  const stack = await bed.step('the services', () => openStack(bed, options));
  const seen = ingress ? behindIngress(bed, stack) : stack;
  const receiver = await startReceiver(seen);
  bed.atEnd(receiver.stop);
  await receiver.subscribe();
  const partners = startPartners(seen, lanes);
  bed.atEnd(() => partners.stop().catch(() => {}));
  const readers = ingress ? startReaders(seen) : undefined;
  if (readers) bed.atEnd(readers.stop);
  const operator = operatorOf(bed, stack);
  const begun = stack.file().services.map(({ pid }) => pid);
  await closedIn(partners, 5);

  const arrived = async (): Promise<void> => {
    const [closed, since] = [closedOf(partners), performance.now()];
    await allReceived(receiver, closed);
    const took = Math.round(performance.now() - since);
    bed.note(
      `  ${closed.length} closed orders; the last webhook came after ${took} ms; ${repeatedEvents(receiver).length} events came again`,
    );
  };
  return {
    ...{ bed, stack, operator, receiver, partners },
    /** Waits until so many more orders have come to their end. */
    closed: (count: number) => closedIn(partners, count),
    /** Waits until so many more orders are accepted. */
    placed: async (count: number): Promise<void> => {
      const wanted = partners.placed.length + count;
      await until(() => partners.placed.length >= wanted, { what: `${count} accepted orders` });
    },
    /** One number of a service's metrics, summed over its series. */
    metric: (service: string, name: string) => metric(stack, service, name),
    /** Waits until a number of a service's metrics has this property. */
    metricIs: (service: string, name: string, test: (value: number) => boolean) =>
      until(
        async () => {
          const value = await metric(stack, service, name);
          return value !== undefined && test(value);
        },
        { deadlineMs, what: `${name} of ${service}` },
      ),
    /** Runs `work` while no process of these services works; then new processes start. */
    scaledToNone: (names: readonly string[], work?: () => Promise<void>) =>
      whileScaledToNone(bed, stack, names, work),
    /** Each event of each closed order reached the receiver. */
    arrived,
    /** Each acknowledged order is there, each event came once, the ledger is valid, nothing is parked. */
    complete: async (): Promise<void> => {
      for (const { id } of [...partners.placed])
        assert.equal((await partner(stack).get(`/orders/${id}`)).status, 200, `order ${id}`);
      await arrived();
      await requireSound(operator, receiver);
    },
    /** Each order that is closed and not affected by a loss is there, and its events reached the receiver. */
    completeBut: async (affected: ReadonlySet<string>): Promise<void> => {
      await partners.stop();
      const ids = closedOf(partners).filter((id) => !affected.has(id));
      for (const id of ids)
        assert.equal((await partner(stack).get(`/orders/${id}`)).body.status, 'CLOSED');
      await allReceived(receiver, ids);
      bed.note(`  ${ids.length} orders; creations: ${statusText(partners.statuses)}`);
    },
    /** No partner got another response than 201 to a creation and 200 to a read. */
    unnoticed: (): void => {
      assert.deepEqual([...partners.statuses.keys()], [201], statusText(partners.statuses));
      assert.deepEqual(readers?.failures ?? [], [], 'each read succeeded');
    },
    /** No process was started again. */
    unrestarted: (): void =>
      assert.deepEqual(
        stack.file().services.map(({ pid }) => pid),
        begun,
      ),
    /** Ends the load: takes the orders under way to their end. */
    finish: async (): Promise<void> => {
      await readers?.stop();
      await partners.finish();
      bed.note(
        `  responses to creations: ${statusText(partners.statuses)}; reads: ${readers?.requests() ?? 0}; steps of operators that were repeated: ${partners.failedSteps()}`,
      );
    },
  };
};

export type Loaded = Awaited<ReturnType<typeof openLoaded>>;
