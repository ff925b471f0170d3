import { percentile } from '../measuring/percentile.ts';
import { say } from '../measuring/report.ts';

/** A log of `size` leaves, or a published checkpoint over them. Times are those of one clock, in ms. */
export interface Published {
  readonly size: number;
  readonly at: number;
}

/** A call that appended a leaf. */
export interface AppendedLeaf {
  readonly index: number;
  readonly begun: number;
}

/**
 * Collects how long leaves take from the call until they are in the log (integrated), and until the
 * first published checkpoint covers them.
 */
export const leafTimes = () => {
  const integrated: number[] = [];
  const published: number[] = [];
  return {
    /** @throws Error if one of the leaves is not in the log, or no checkpoint covers it. */
    add: (
      leaves: readonly AppendedLeaf[],
      sizes: readonly Published[],
      checkpoints: readonly Published[],
    ): void => {
      for (const leaf of leaves) {
        integrated.push(waited(leaf, sizes));
        published.push(waited(leaf, checkpoints));
      }
    },
    print: (name: string): void => {
      say(`  ${name}: from a call to its leaf: ${summary(integrated)}`);
      say(`  ${name}: from a call to a checkpoint: ${summary(published)}`);
    },
  };
};

const waited = ({ index, begun }: AppendedLeaf, sizes: readonly Published[]): number => {
  const covering = sizes.find(({ size }) => size > index);
  if (!covering) throw new Error(`nothing covers leaf ${index}`);
  return covering.at - begun;
};

const summary = (ms: readonly number[]): string => {
  const [p50, p99] = [0.5, 0.99].map((part) => Math.round(percentile(ms, part)));
  const most = Math.round(ms.reduce((most, one) => Math.max(most, one), 0));
  return `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`;
};
