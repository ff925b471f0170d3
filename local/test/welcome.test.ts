import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { welcome } from '../src/welcome.ts';

const stack = {
  baseUrl: 'http://127.0.0.1:8080/api/partner/v1',
  consoleUrl: 'http://127.0.0.1:8090',
  operator: { env: { OPERATOR_TOKEN: 'opt_x' } },
  organizations: [
    { id: 'first', name: 'Demo Clinic', keys: { all: 'svc_test_x' } },
    { id: 'second', name: 'Other Clinic', keys: {} },
  ],
} as never;

test('the commands for a stack in another folder name the folder', () => {
  const text = welcome(stack, '/tmp/a stack');
  expect(text).toContain("LOCAL_DIR='/tmp/a stack' npm run operator -- order list --org first\n");
  expect(text).toContain("LOCAL_DIR='/tmp/a stack' npm run receiver\n");
  expect(text).toContain('http://127.0.0.1:8090\n  sign in with                  opt_x\n');
});

test('the commands for a stack in the usual folder name no folder', () => {
  expect(welcome(stack, resolve('.local'))).not.toContain('LOCAL_DIR');
});
