import type { Fault } from './check-chain.ts';

/** A fault of the log itself, for which no single order is to blame. */
export const logFault = (reason: string): Fault => ({ orderId: '', entryId: '', reason });
