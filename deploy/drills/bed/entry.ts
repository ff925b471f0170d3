import { startProxy } from '../../../e2e/chaos/faults/tcp-proxy.ts';
import type { Bed } from '../drill.ts';

/** Opens an address whose connections lead to one server of several, as a virtual IP does. */
export const openEntry = async (bed: Bed, port: number) => {
  const target = { host: '127.0.0.1', port };
  const entry = await startProxy(target);
  bed.atEnd(entry.stop);
  return {
    port: entry.port,
    cut: entry.cut,
    /** Ends the connections, and leads the next ones to another server. */
    lead: (to: number): void => {
      target.port = to;
      entry.cut();
      entry.restore();
    },
  };
};
