import type { Page } from './chromium.ts';
import type { LocalStack } from './local-stack.ts';
import { operatorClients } from './operator.ts';

/** Issues a personal token with these roles. */
const issueToken = async (stack: LocalStack, roles: readonly string[]): Promise<string> => {
  const { secret } = await operatorClients(stack).operators.issueToken({
    name: 'A Dispatcher',
    roles: [...roles],
    expiresInSeconds: 3600n,
  });
  return secret;
};

/** Signs in to the console on an empty page, by a new personal token, as a person does. */
export const signInByForm = async (
  page: Page,
  stack: LocalStack,
  roles: readonly string[],
): Promise<void> => {
  await page.goto(stack.file().consoleUrl);
  await page.getByLabel('Personal token').fill(await issueToken(stack, roles));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
};

/** What the sign-in page of the console sends. */
export const startConsoleSession = (stack: LocalStack, credential: unknown): Promise<Response> =>
  fetch(`${stack.file().consoleUrl}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ credential }),
  });

/** Opens the console's orders on an empty page in a session of a new personal token, without its form. */
export const signInToConsole = async (
  page: Page,
  stack: LocalStack,
  roles: readonly string[],
): Promise<void> => {
  const { consoleUrl } = stack.file();
  const response = await startConsoleSession(stack, await issueToken(stack, roles));
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  if (name === undefined) throw new Error(`the console rejected a token: ${response.status}`);
  const url = consoleUrl.replace('http:', 'https:');
  await page
    .context()
    .addCookies([{ name, value: value!, url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${consoleUrl}/orders`);
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
};
