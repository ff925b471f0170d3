import { join } from 'node:path';
import { startGatewayProcess } from './gateway-process.ts';
import type { Prepared } from './with-stack.ts';
import type { Target } from './wrk.ts';

const checkout = join(import.meta.dirname, '..', '..');

/**
 * Two sides that send the same requests to the gateway of this checkout and to that of another one,
 * both on one local stack and started from their sources.
 * @param before folder of the other checkout, with its node_modules.
 */
export const besideEarlierGateway = async (
  prepared: Prepared,
  target: () => Promise<Target>,
  before: string,
) => {
  const side = async (name: string, folder: string) => {
    const { origin, ...gateway } = await startGatewayProcess(prepared, {
      name,
      program: join(folder, 'services/gateway/src/main.ts'),
    });
    const here = async (): Promise<Target> => {
      const { url, ...rest } = await target();
      const { pathname, search } = new URL(url);
      return { ...rest, url: origin + pathname + search };
    };
    return { ...gateway, target: here, common: (response: object) => response };
  };
  return [await side('now', checkout), await side('before', before)] as const;
};
