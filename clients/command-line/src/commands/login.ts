import { note, printedLines, writeLines } from '@pto/terminal';
import { Command } from 'commander';
import { type Context, isJson } from '../context.ts';
import { openClient, removeCredential, storeCredential } from '../credential.ts';
import { WrongUsage } from '../failure.ts';
import { readKey } from '../read-key.ts';

/**
 * `pto login`: checks a key and stores it in the system's keyring, else in a file that the user alone
 * reads. The key comes from a
 * question or from standard input, never from an argument, which other users of the machine see.
 */
export const loginCommand = ({ environment, input, keyring }: Context): Command =>
  new Command('login')
    .description('check a key, which is read from a question or from standard input, and store it')
    .option('--base-url <url>', 'URL of the API, ending in /api/partner/v1; default: PTO_BASE_URL')
    .action(async ({ baseUrl = environment.PTO_BASE_URL }: { baseUrl?: string }, command) => {
      if (!baseUrl) throw new WrongUsage('Which API? Give --base-url, or set PTO_BASE_URL.');
      const credential = { baseUrl, apiKey: await readKey(input(), `API key for ${baseUrl}: `) };
      const { organization, environment: of } = await openClient(credential).ping();
      const { place, reason } = storeCredential(environment, keyring, credential);
      const shown = { organization, environment: of, stored: place };
      await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
      if (reason) note(`The key is in a file that you alone can read, because ${reason}.`);
      if (environment.PTO_API_KEY) note('PTO_API_KEY is set: it wins over the stored key.');
    });

/** `pto logout`: removes the stored key. */
export const logoutCommand = ({ environment, keyring }: Context): Command =>
  new Command('logout').description('remove the stored key').action(async () => {
    note(
      removeCredential(environment, keyring) ? 'The stored key was removed.' : 'No key was stored.',
    );
  });
