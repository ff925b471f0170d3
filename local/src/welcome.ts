import { resolve } from 'node:path';
import type { StackFile } from './stack/stack-file.ts';

/**
 * Returns the text that is printed when the local stack is ready. Each of its commands can be
 * pasted into a shell.
 * @param dir the absolute folder of the stack, which the commands `operator` and `receiver` read
 *   from LOCAL_DIR.
 */
export const welcome = (
  { baseUrl, consoleUrl, operator, organizations }: StackFile,
  dir: string,
): string => {
  const [demo] = organizations;
  const within = dir === resolve('.local') ? '' : `LOCAL_DIR='${dir}' `;
  const keys = Object.entries(demo?.keys ?? {}).map(([name, key]) => `  ${name.padEnd(9)} ${key}`);
  return `
The API is served at
  ${baseUrl}

Keys of ${demo?.name} (by scope; those of ${organizations[1]?.name} are in mesh.json)
${keys.join('\n')}

A first request
  curl -s '${baseUrl}/orders?limit=5' -H 'Authorization: Bearer ${demo?.keys.all}'

The console for operators       ${consoleUrl}
  sign in with                  ${operator.env.OPERATOR_TOKEN}
The portal for partners         ${within}npm run operator -- portal link --org ${demo?.id}
The documentation               ${new URL('/', baseUrl)}
Verify a proof of custody       ${new URL('/verify', baseUrl)}
The operator's command line     ${within}npm run operator -- order list --org ${demo?.id}
A receiver for your webhooks    ${within}npm run receiver
Where to read on                README.md
Ctrl-C stops everything.

`;
};
