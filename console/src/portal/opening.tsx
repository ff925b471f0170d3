import { useState } from 'react';
import { failureOf } from '../calls/failure.ts';
import { openSession } from './api.ts';

/**
 * Opens the session of a link. A button does it, not the page itself: programs that look into mails
 * open links, and would use up the code.
 * @param code the link's code; empty: there is no session, and no link.
 */
export const Opening = ({ code, onDone }: { code: string; onDone: () => void }) => {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    setProblem('');
    try {
      await openSession(code);
      onDone();
    } catch (error) {
      setProblem(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <title>Portal</title>
      <h1>Portal</h1>
      {code === '' ? (
        <p>
          You have no session here, or it has ended. Open the portal by a link from your
          organization or the operator. A link works once.
        </p>
      ) : (
        <>
          <p className="faint">Orders, custody and deliveries of your organization.</p>
          {problem !== '' && (
            <p className="error" role="alert">
              {problem}
            </p>
          )}
          <button type="button" onClick={open} disabled={isBusy}>
            {isBusy ? 'Wait …' : 'Open the portal'}
          </button>
        </>
      )}
    </main>
  );
};
