/** A page of the portal beside that of the console, in the same browser context. */
import type { BrowserContext, Page } from 'playwright-core';
import type { LocalStack } from '../../local-stack.ts';
import { partner } from '../../partner.ts';

/** Opens a page of the portal by a new link of the first organization. */
export const portalPage = async (
  stack: LocalStack,
  context: BrowserContext,
  path: string,
  verb = 'Open the portal',
): Promise<Page> => {
  const { url } = (await partner(stack).post('/portal-links', {})).body;
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: verb }).click();
  await page.locator('#content h1').waitFor();
  await page.goto(`${new URL(url).origin}${path}`);
  return page;
};
