import type { Page } from './chromium.ts';
import type { LocalStack } from './local-stack.ts';
import { operatorClients } from './operator.ts';

/** Signs in to the console on an empty page, by a new personal token with these roles. */
export const signInToConsole = async (
  page: Page,
  stack: LocalStack,
  roles: readonly string[],
): Promise<void> => {
  const { secret } = await operatorClients(stack).operators.issueToken({
    name: 'A Dispatcher',
    roles: [...roles],
    expiresInSeconds: 3600n,
  });
  await page.goto(stack.file().consoleUrl);
  await page.getByLabel('Personal token').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
};
