import { percentile } from '../measuring/percentile.ts';
import { say } from '../measuring/report.ts';

/** A published checkpoint over `size` leaves. Times are those of one clock, in ms. */
export interface Checkpoint {
  readonly size: number;
  readonly at: number;
}

/** A call that appended a leaf. */
export interface AppendedLeaf {
  readonly index: number;
  readonly begun: number;
}

/** Collects how long leaves take from the call until the first published checkpoint covers them. */
export const checkpointTimes = () => {
  const ms: number[] = [];
  return {
    /** @throws Error if no checkpoint covers one of the leaves. */
    add: (leaves: readonly AppendedLeaf[], checkpoints: readonly Checkpoint[]): void => {
      for (const { index, begun } of leaves) {
        const covering = checkpoints.find(({ size }) => size > index);
        if (!covering) throw new Error(`no checkpoint covers leaf ${index}`);
        ms.push(covering.at - begun);
      }
    },
    print: (name: string): void => {
      const [p50, p99] = [0.5, 0.99].map((part) => Math.round(percentile(ms, part)));
      const most = Math.round(ms.reduce((longest, one) => Math.max(longest, one), 0));
      say(`  ${name}: from a call to a checkpoint: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`);
    },
  };
};
