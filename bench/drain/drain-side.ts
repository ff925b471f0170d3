import type { Side } from '../measuring/ratio.ts';

/** What both sides deliver in a round, and where to. */
export interface Workload {
  readonly backlog: number;
  readonly payload: Buffer;
  readonly receiverUrl: string;
  readonly caFile: string;
}

export interface DrainSide extends Side {
  close(): Promise<void>;
}
