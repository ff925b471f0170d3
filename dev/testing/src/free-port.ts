import { freePorts } from '@pto/stores';

/** Returns a loopback port that is free now. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
