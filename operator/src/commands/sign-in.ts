import { Failure } from '@pto/errors';
import { note, progress } from '@pto/terminal';
import { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { print } from '../output.ts';
import { readSession, removeSession, writeSession } from '../session/session-file.ts';

const secondMs = 1000;

/** Builds the commands `login`, `logout` and `whoami`. */
export const signInCommands = (open: OpenClients): Command[] => [
  new Command('login')
    .description('sign in with the OpenID provider, by a code that you enter in a browser')
    .action(async (_, command) => {
      await login(open);
      await print(command, await me(open));
    }),
  new Command('logout')
    .description('forget the sign-in on this machine, and end it at the provider')
    .action(async (_, command) => {
      const { sessionFile } = open();
      const session = readSession(sessionFile);
      removeSession(sessionFile);
      const { revoke } = await import('../session/provider.ts');
      if (session)
        await revoke(session).catch((error: Error) =>
          note(`The provider did not revoke the token: ${error.message}`),
        );
      await print(command, { signed_out: session !== undefined });
    }),
  new Command('whoami')
    .description('the identity and roles that the operators service sees')
    .action(async (_, command) => print(command, await me(open))),
];

const me = async (open: OpenClients) => {
  const { id, name, roles, credential, expiresAt } = await open().operators.whoAmI({});
  return { id, name, roles, credential, expires_at: expiresAt };
};

const login = async (open: OpenClients): Promise<void> => {
  const { signIn: service, operatorUrl, sessionFile, usesToken } = open();
  const { issuer, clientId, scopes, maxAgeSeconds } = await service.getSignIn({});
  if (issuer === '')
    throw new Failure(
      'OPERATOR_NOT_AUTHENTICATED',
      'No OpenID provider is configured here. Set OPERATOR_TOKEN to a personal token.',
    );
  const { signIn } = await import('../session/provider.ts');
  let timer: NodeJS.Timeout | undefined;
  try {
    const kind = { operatorUrl, issuer, clientId, maxAgeSeconds };
    const session = await signIn(kind, scopes, ({ url, code, expiresInSeconds }) => {
      note(`Open ${url}`);
      note(`and confirm the code ${code}`);
      const end = performance.now() + expiresInSeconds * secondMs;
      timer = setInterval(() => {
        const left = Math.max(0, Math.round((end - performance.now()) / secondMs));
        progress(`waiting for the sign-in, ${left} s left`);
      }, secondMs);
    });
    writeSession(sessionFile, session);
  } finally {
    clearInterval(timer);
    progress('');
  }
  if (usesToken) note('OPERATOR_TOKEN is set: commands use that token, not the sign-in.');
};
