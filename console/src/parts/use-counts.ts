import { useMemo } from 'react';
import { boardOf, waitingIn } from '../board/columns.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { useMeasurements } from './use-measurements.ts';
import { useMinute } from './use-minute.ts';
import { useUntold } from './use-untold.ts';

/** What waits on a page. */
export interface Count {
  readonly count: number;
  /** Whether the runbook of the measurement asks for attention. */
  readonly isBad: boolean;
}

const everyMs = 15_000;

/** The page on which a measurement's things are listed. */
const pages: Readonly<Record<string, string>> = {
  bus_dead_letters: '/dead-letters',
  bus_rejected_messages: '/dead-letters',
  custody_violations_open: '/ledger',
  webhook_breaking_endpoints: '/status',
};

/** Returns by the path of a page how much waits there: the orders of Now, and what Status measures. */
export const useCounts = (): Readonly<Record<string, Count>> => {
  const { data = [] } = useMeasurements({ everyMs });
  const orders = useBoard({ everyMs: unshownMs }).data?.orders ?? [];
  const now = useMinute();
  const untold = useUntold();
  const waiting = useMemo(() => waitingIn(boardOf(orders, now, untold)), [orders, now, untold]);
  const counts: Record<string, Count> = waiting > 0 ? { '/': { count: waiting, isBad: true } } : {};
  for (const { name, number, runbook } of data) {
    const path = pages[name];
    if (path === undefined || number === 0) continue;
    const before = counts[path] ?? { count: 0, isBad: false };
    counts[path] = {
      count: before.count + number,
      isBad: before.isBad || runbook !== undefined,
    };
  }
  return counts;
};
