import { useMemo } from 'react';
import { alarmsIn, boardOf } from '../board/columns.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { measuredOf } from './measured.ts';
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

/** Returns by the path of a page how much waits there: the orders of Now, and what Status measures. */
export const useCounts = (): Readonly<Record<string, Count>> => {
  const { data = [] } = useMeasurements({ everyMs });
  const orders = useBoard({ everyMs: unshownMs }).data?.orders ?? [];
  const now = useMinute();
  const untold = useUntold();
  const alarms = useMemo(() => alarmsIn(boardOf(orders, now, untold)), [orders, now, untold]);
  const counts: Record<string, Count> = alarms > 0 ? { '/': { count: alarms, isBad: true } } : {};
  for (const { name, number, runbook } of data) {
    const { page, isCounted } = measuredOf(name);
    if (page === undefined || !isCounted || number === 0) continue;
    const [path] = page;
    const before = counts[path] ?? { count: 0, isBad: false };
    counts[path] = { count: before.count + number, isBad: before.isBad || runbook !== undefined };
  }
  return counts;
};
