import { type FormEvent, useState } from 'react';
import { signIn } from '../calls/session.ts';

/** Exchanges a personal token for a session. */
export const SignInPage = ({ onDone }: { onDone: () => void }) => {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credential = new FormData(event.currentTarget).get('credential')!.toString().trim();
    setBusy(true);
    setProblem('');
    try {
      await signIn(credential);
      onDone();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <h1>Console</h1>
      <p className="faint">Orders, custody and deliveries of all organizations.</p>
      <form onSubmit={send}>
        <label className="field">
          <span>Personal token</span>
          <input name="credential" type="password" autoComplete="current-password" required />
          <small>An administrator issues it: `operator token issue`.</small>
        </label>
        {problem !== '' && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" disabled={busy}>
          Sign in
        </button>
      </form>
    </main>
  );
};
