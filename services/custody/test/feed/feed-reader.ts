import { setTimeout as sleep } from 'node:timers/promises';
import { CustodyService, type OrganizationEvent } from '@pto/proto/custody/v1/custody';
import { grpcClient } from '@pto/rpc';
import { tlsOf } from '@pto/testing';

/**
 * Follows an organization by long polls, at all processes in turn, until `stop`.
 * @param read gets each event when a page has it.
 * @param waitMs how long a poll without an event takes.
 */
export const follow = (
  organizationId: string,
  ports: readonly number[],
  read: (event: OrganizationEvent) => void,
  waitMs = 2000,
) => {
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`;
  const custody = grpcClient(CustodyService, { address, server: 'custody', tls: tlsOf('gateway') });
  let [on, after, failures] = [true, 0n, 0];
  const next = async () => {
    const page = await custody.listOrganizationEvents({ organizationId, after, limit: 100 });
    page.events.forEach(read);
    after = page.events.at(-1)?.number ?? after;
    const { logSize } = page;
    const request = { organizationId, after, logSize, waitMs };
    if (page.events.length === 0) await custody.waitForOrganizationEvents(request);
  };
  const following = (async () => {
    while (on)
      await next().catch(async () => {
        failures++;
        await sleep(50); // the pace of a patient reader
      });
  })();
  return {
    failures: () => failures,
    stop: async () => {
      on = false;
      await following;
      custody.close();
    },
  };
};

/**
 * Compares what a reader of one organization gets with what the writers committed, event by event.
 * An event is held only until both sides have named it, so that a million of them fit in memory.
 */
export const checkFeed = () => {
  const onlyCommitted = new Set<string>();
  const onlyRead = new Set<string>();
  const sequences = new Map<string, number>();
  let [committed, read, leafIndex, fault] = [0, 0, -1n, null as string | null];

  const faultOf = ({ id, orderId, sequence, ...event }: OrganizationEvent): string | null => {
    if (Number(event.number) !== read + 1) return `event ${event.number} follows event ${read}`;
    if (event.leafIndex <= leafIndex) return `leaf ${event.leafIndex} follows leaf ${leafIndex}`;
    const before = sequences.get(orderId) ?? 0;
    if (sequence !== before + 1) return `order ${orderId}: ${sequence} follows ${before}`;
    return onlyRead.has(id) ? `${id} comes twice` : null;
  };
  return {
    committed: (ids: readonly string[]): void => {
      committed += ids.length;
      for (const id of ids) if (!onlyRead.delete(id)) onlyCommitted.add(id);
    },
    read: (event: OrganizationEvent): void => {
      fault ??= faultOf(event);
      [read, leafIndex] = [Number(event.number), event.leafIndex];
      sequences.set(event.orderId, event.sequence);
      if (!onlyCommitted.delete(event.id)) onlyRead.add(event.id);
    },
    /** Whether as many events were read as committed, or a fault ends the check. */
    isComplete: (): boolean => fault !== null || read >= committed,
    /** What is wrong, if all were read: ids that one side lacks. */
    outcome: () => ({
      fault,
      read,
      missing: onlyCommitted.size,
      // twice, or of another organization
      unexpected: onlyRead.size,
    }),
    committedCount: () => committed,
  };
};
