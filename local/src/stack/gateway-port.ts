import { freePorts, isPortFree, reservePort } from '@pto/stores';
import { UsageError } from '../arguments.ts';

export const gatewayPort = async (wanted: number): Promise<number> => {
  if (wanted === 0) return (await freePorts(1))[0] ?? 0;
  if (await isPortFree(wanted)) {
    // no process listens on the port yet, so `freePorts` could return it for another process
    await reservePort(wanted);
    return wanted;
  }
  throw new UsageError(
    `port ${wanted} is taken: stop the process that uses it, or choose another by --port (0 takes a free one)`,
  );
};
