/** The local stack that is measured, with organizations and orders, and no limit in the way. */
import { type LocalStack, startLocalStack } from '../../e2e/local-stack.ts';
import { operatorClients } from '../../e2e/operator.ts';
import { createOrganization } from '../../local/src/operators/organizations.ts';
import type { StackFile } from '../../local/src/stack/stack-file.ts';
import { nameProcess } from '../measuring/process-cpu.ts';
import { create, orderWith } from './calls.ts';

/** A page of the list has 50. */
const orderCount = 60;

export interface Prepared {
  readonly stack: LocalStack;
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly key: string;
  /** One key for each organization. */
  readonly keys: readonly string[];
  /** Of one of the first organization's orders. */
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
};

/** An organization with a key of all scopes, and an order, so that its two locations exist. */
const prepareOrganization = async (stack: LocalStack) => {
  const { id, keys } = await createOrganization(operatorClients(stack).access, 'Bench');
  const orderId = await create(stack.file().baseUrl, '/orders', keys.all, orderWith(2));
  return { organizationId: id, key: keys.all, orderId };
};

/** Starts the local stack and ends it after the work. PROFILE is a folder for V8's profiles. */
export const withStack = async (
  work: (prepared: Prepared) => Promise<void>,
  organizations = 1,
): Promise<void> => {
  const profile = process.env.PROFILE;
  const NODE_OPTIONS = profile && `--cpu-prof --cpu-prof-dir=${profile}`;
  const stack = await startLocalStack({
    env: { ...settings, ...(NODE_OPTIONS && { NODE_OPTIONS }) },
  });
  try {
    const { baseUrl, services } = stack.file();
    for (const { pid, name } of services) nameProcess(pid, name);
    const first = await prepareOrganization(stack);
    const keys = [first.key];
    while (keys.length < organizations) keys.push((await prepareOrganization(stack)).key);
    for (let n = 1; n < orderCount; n++) await create(baseUrl, '/orders', first.key, orderWith(2));
    await work({ stack, baseUrl, ...first, keys });
  } finally {
    await stack.stop();
    stack.forget();
  }
};

/** Names of the stack's processes and stores, whose CPU time counts for it. */
export const stackProcesses = ({ services, stores }: StackFile): string[] => [
  ...services.map(({ name }) => name),
  ...Object.keys(stores.pids),
];
