/**
 * Writes pictures of every page of the console and the portal, in each state, scheme and width:
 * `node e2e/screenshots/main.ts FOLDER [WORD...]` over the local stack of LOCAL_DIR. With words, only
 * pictures whose names contain one of them.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '../../local/src/stack/stack-file.ts';
import { hasChromium, launchChromium } from '../chromium.ts';
import type { LocalStack } from '../local-stack.ts';
import { openApplications } from './applications.ts';
import { states } from './states.ts';

const [folder, ...words] = process.argv.slice(2);
const path = join(process.env.LOCAL_DIR ?? '', 'mesh.json');
if (folder === undefined || !hasChromium || !existsSync(path))
  throw new Error('Give a folder, and LOCAL_DIR of a running local stack. Chromium is needed.');

const stack = { file: () => JSON.parse(readFileSync(path, 'utf8')) as StackFile } as LocalStack;
const widths = [1440, 820, 390];
const schemes = ['light', 'dark'] as const;

mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
let count = 0;
const { applications, stop } = await openApplications(stack);
for (const application of applications) {
  for (const width of widths)
    for (const colorScheme of schemes) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      const origin = await application.signIn(await context.newPage());
      for (const [pageName, address] of application.pages)
        for (const [stateName, show] of Object.entries(states)) {
          if (!(application.states ?? [stateName]).includes(stateName as keyof typeof states))
            continue;
          const name = `${application.name}-${pageName}-${stateName}-${width}-${colorScheme}`;
          if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
          const page = await context.newPage();
          await show(page, `${origin}${address}`);
          await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
          await page.close();
          count += 1;
        }
      await context.close();
    }
}
await browser.close();
await stop();
process.stdout.write(`${count} pictures in ${folder}\n`);
