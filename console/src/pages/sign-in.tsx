import { type FormEvent, useEffect, useState } from 'react';
import { hasOpenId, signIn } from '../calls/session.ts';
import { useCommand } from '../parts/use-command.ts';

/** The token of a link, `/#opt_…`, such as a carrier gets. The address bar loses it at once. */
const tokenOfLink = (): string => {
  const [, token = ''] = /^#(opt_\w+)$/.exec(location.hash) ?? [];
  if (token !== '') history.replaceState(null, '', location.pathname);
  return token;
};

/** Signs in at the OpenID provider, if there is one, or exchanges a personal token for a session. */
export const SignInPage = ({ onDone }: { onDone: () => void }) => {
  const { error, isBusy, run } = useCommand(onDone);
  const [openId, setOpenId] = useState(false);
  const [given] = useState(tokenOfLink);
  const hasFailed = new URLSearchParams(location.search).get('sign-in') === 'failed';
  useEffect(() => {
    hasOpenId().then(setOpenId, () => {}); // the token is a way to sign in, too
  }, []);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credential = new FormData(event.currentTarget).get('credential')!.toString().trim();
    void run(() => signIn(credential));
  };
  return (
    <main className="sign-in">
      <h1>Console</h1>
      <p className="faint">Orders, custody and deliveries of all organizations.</p>
      {hasFailed && error === undefined && (
        <p className="error" role="alert">
          The sign-in did not succeed, or none of your groups has a role. Try again.
        </p>
      )}
      {openId && (
        <>
          <a className="button" href="/session/openid">
            Sign in
          </a>
          <p className="faint">or with a personal token:</p>
        </>
      )}
      <form onSubmit={send}>
        <label className="field">
          <span>Personal token</span>
          <input
            name="credential"
            type="password"
            autoComplete="current-password"
            required
            defaultValue={given}
          />
          <small>An administrator issues it.</small>
        </label>
        {error !== undefined && (
          <p className="error" role="alert">
            {(error as Error).message}
          </p>
        )}
        <button type="submit" disabled={isBusy} className={openId ? 'quiet' : ''}>
          Sign in{openId && ' with the token'}
        </button>
      </form>
    </main>
  );
};
