import { useState } from 'react';
import { failureOf } from '../calls/failure.ts';
import { useCommand } from '../parts/use-command.ts';
import { t } from '../parts/words.ts';
import { newNonce, openSession } from './api.ts';

/**
 * Opens the session of a link. A button does it, not the page itself: programs that look into mails
 * open links, and would use up the code. Pressed again after a lost answer, it opens the same session.
 * @param code the link's code; empty: there is no session, and no link.
 */
export const Opening = ({ code, onDone }: { code: string; onDone: () => void }) => {
  const [nonce] = useState(newNonce);
  const { error, isBusy, run } = useCommand(onDone);
  const problem = error === undefined ? undefined : failureOf(error);
  const open = () => run(() => openSession(code, nonce));
  return (
    <main className="sign-in">
      <title>{t('Portal')}</title>
      <h1>{t('Portal')}</h1>
      {code === '' ? (
        <p>
          {t(
            'You have no session here, or it has ended. Open the portal by a link from your organization or the operator. A link works once; one that you have not used yet still works: open it again.',
          )}
        </p>
      ) : (
        <>
          <p className="faint">{t('Orders, custody and deliveries of your organization.')}</p>
          {problem && (
            <p className="error" role="alert">
              {problem.isOffline
                ? `${problem.what} ${t('Press the button again within a minute: the link still works here.')}`
                : problem.message}
            </p>
          )}
          {(!problem || problem.isOffline) && (
            <button type="button" onClick={open} disabled={isBusy}>
              {t(isBusy ? 'Wait …' : 'Open the portal')}
            </button>
          )}
        </>
      )}
    </main>
  );
};
