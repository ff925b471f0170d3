import { join } from 'node:path';
import type { Mesh } from '../../e2e/mesh.ts';
import { call, orderWith } from '../fairness/calls.ts';

/** A running local stack of one checkout, with several organizations. */
export interface CreatingStack {
  readonly stack: Mesh;
  /** One key for each organization. */
  readonly keys: readonly string[];
}

/** No limit is reached. The detection of outside calls, which only tests need, is off. */
const settings = {
  GATEWAY_READS_PER_MINUTE: '100000000',
  GATEWAY_WRITES_PER_MINUTE: '100000000',
  GATEWAY_REQUESTS_IN_FLIGHT: '1000',
  FORBID_OUTSIDE_CALLS: '0',
};

/**
 * Starts the local stack of a checkout. Each organization has created one order, so its two
 * locations exist.
 */
export const startStack = async (
  checkout: string,
  organizations: number,
): Promise<CreatingStack> => {
  const code = await import(join(checkout, 'e2e/mesh.ts'));
  // a checkout of an earlier commit has both functions in one file
  const { operator } = await import(join(checkout, 'e2e/operator.ts')).catch(() => code);
  const profile = process.env.PROFILE;
  const stack: Mesh = await code.startMesh({
    env: {
      ...settings,
      ...(profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
    },
  });
  const keys: string[] = [];
  for (let n = 0; n < organizations; n++) {
    const made = await operator(stack, 'org', 'create', '--name', `Bench ${n}`);
    const words = ['--org', made.json.id, '--scopes', 'orders:read,orders:write'];
    const { key } = (await operator(stack, 'key', 'issue', ...words)).json;
    const { origin } = new URL(stack.file().baseUrl);
    const { status, text } = await call(origin, 'POST', '/orders', key, orderWith(2));
    if (status !== 201) throw new Error(`no order: ${status} ${text}`);
    keys.push(key);
  }
  return { stack, keys };
};
