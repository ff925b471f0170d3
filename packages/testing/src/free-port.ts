import { freePorts } from '@pto/stores';

/** A loopback port that is free now. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
