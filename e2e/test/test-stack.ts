/** The local stack of a test file: one of its own, or the one that test files share. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { sharedStackFolder, until } from '@pto/testing';
import { createOrganization } from '../../local/src/operators/organizations.ts';
import { type LocalStack, type StartOptions, startLocalStack, unlimited } from '../local-stack.ts';
import { operatorClients } from '../operator.ts';

const startMaxMs = 100_000;

/**
 * Starts a local stack before the tests of this file and stops it after them. The returned object
 * has no members until then.
 */
export const ownStack = (options: StartOptions = {}): LocalStack => {
  const stack = {} as LocalStack;
  beforeAll(async () => {
    Object.assign(stack, await startLocalStack(options));
  }, startMaxMs);
  afterAll(async () => {
    if (stack.pid === undefined) return;
    expect(await stack.stop()).toBe(0);
    stack.forget();
  });
  return stack;
};

/**
 * The same stack with two new organizations, whose keys tests find in place of the first ones, before
 * the tests of this block begin.
 */
export const withOrganizations = (stack: LocalStack): LocalStack => {
  const own = {} as LocalStack;
  beforeAll(async () => {
    const { access } = operatorClients(stack);
    const names = ['Demo Clinic', 'Other Clinic'];
    const organizations = await Promise.all(names.map((name) => createOrganization(access, name)));
    Object.assign(own, stack, { file: () => ({ ...stack.file(), organizations }) });
  }, startMaxMs);
  return own;
};

/**
 * The local stack that test files share, with two organizations of this file's own: unlimited, its
 * bus in PostgreSQL. The first file of a run starts it, the end of the run stops it. Its files may
 * run at the same time: none of them harms it, or judges its ledger or memory as a whole.
 * MESH_FILE names the `mesh.json` of a deployment that takes its place, such as one in a cluster,
 * with its own organizations.
 */
export const sharedStack = (): LocalStack => {
  const stack = {} as LocalStack;
  const given = process.env.MESH_FILE;
  beforeAll(async () => {
    const dir = sharedStackFolder();
    if (!given) await startOnce(dir);
    else mkdirSync(dir, { recursive: true });
    const path = given || join(dir, 'mesh.json');
    const file: LocalStack['file'] = () => JSON.parse(readFileSync(path, 'utf8'));
    // this process does not stop the stack
    Object.assign(stack, { dir, file, output: () => '', pid: 0, stop: async () => 0 });
  }, startMaxMs);
  return given ? stack : withOrganizations(stack);
};

/** Starts the shared stack unless another test file has begun to do it; waits until it runs. */
const startOnce = async (dir: string): Promise<void> => {
  try {
    mkdirSync(dir, { mode: 0o755 });
  } catch {
    await until(() => existsSync(join(dir, 'mesh.json')), {
      deadlineMs: startMaxMs,
      what: 'the shared local stack',
    });
    return;
  }
  const env = { ...unlimited, WEBHOOKS_CONNECT_TIMEOUT: '1500ms' };
  await startLocalStack({ dir, kafka: false, env });
};
