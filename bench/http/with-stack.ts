import { type Mesh, startMesh } from '../../e2e/mesh.ts';
import { operator } from '../../e2e/operator.ts';
import { call, orderWith } from '../fairness/calls.ts';
import { nameProcess } from '../measuring/profile-names.ts';

/** A page of the list has 50. */
const orderCount = 60;

export interface Prepared {
  readonly stack: Mesh;
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly key: string;
  /** Of one of the orders. */
  readonly orderId: string;
}

const plenty = '100000000';
/**
 * No limit is reached but where one is measured. The detection of outside calls, which only tests
 * need, is off.
 */
const settings = {
  FORBID_OUTSIDE_CALLS: '0',
  GATEWAY_READS_PER_MINUTE: plenty,
  GATEWAY_WRITES_PER_MINUTE: plenty,
  GATEWAY_REQUESTS_IN_FLIGHT: '1000',
  GATEWAY_REJECTION_HOLD: process.env.HOLD ?? '0',
};

/** An organization with a key of all scopes. */
export const createOrganization = async (stack: Mesh) => {
  const organization = (await operator(stack, 'org', 'create', '--name', 'Bench')).json;
  const { id: organizationId } = organization as { id: string };
  const scopes = 'orders:read,orders:write,webhooks:manage';
  const issued = await operator(stack, 'key', 'issue', '--org', organizationId, '--scopes', scopes);
  const { key } = issued.json as { key: string };
  return { organizationId, key };
};

/** The local stack with one organization and its orders, and no limit in the way. */
export const withStack = async (work: (prepared: Prepared) => Promise<void>): Promise<void> => {
  const profile = process.env.PROFILE;
  const NODE_OPTIONS = profile && `--cpu-prof --cpu-prof-dir=${profile}`;
  const stack = await startMesh({
    env: { ...settings, ...(NODE_OPTIONS && { NODE_OPTIONS }) },
  });
  try {
    const { baseUrl, services } = stack.file();
    for (const { pid, name } of services) nameProcess(pid, name);
    const { organizationId, key } = await createOrganization(stack);
    let orderId = '';
    for (let n = 0; n < orderCount; n++) {
      const created = await call(new URL(baseUrl).origin, 'POST', '/orders', key, orderWith(2));
      if (created.status !== 201) throw new Error(`no order: ${created.status} ${created.text}`);
      orderId = JSON.parse(created.text).id;
    }
    await work({ stack, baseUrl, organizationId, key, orderId });
  } finally {
    await stack.stop();
    stack.forget();
  }
};
