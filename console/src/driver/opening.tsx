import { failureOf } from '../calls/failure.ts';
import { useCommand } from '../parts/use-command.ts';
import { t } from '../parts/words.ts';
import { openShift, readShift } from './shift.ts';

/** Opens the shift of a link. A button does it: programs that look into messages open links, too. */
export const Opening = ({ code, onDone }: { code: string; onDone: (shiftId: string) => void }) => {
  const { error, isBusy, run } = useCommand(() => {});
  const problem = error === undefined ? undefined : failureOf(error);
  const open = () =>
    run(async () => {
      await openShift(code);
      onDone((await readShift()).id);
    });
  return (
    <main className="sign-in driver">
      <title>{t('Your transports')}</title>
      <h1>{t('Your transports')}</h1>
      <p>{t('This link opens once, on one phone. Your records are signed by this phone.')}</p>
      {problem && (
        <p className="error" role="alert">
          {problem.isOffline
            ? t('No answer. Press the button again within a minute: the link still works here.')
            : problem.message}
        </p>
      )}
      <button type="button" onClick={open} disabled={isBusy}>
        {t(isBusy ? 'Wait …' : 'Begin the shift')}
      </button>
    </main>
  );
};

/** There is no shift on this phone. What is not sent waits for the driver's next one. */
export const NoShift = ({ isOffline = false }: { isOffline?: boolean }) => (
  <main className="sign-in driver">
    <title>{t('Your transports')}</title>
    <h1>{t(isOffline ? 'No network' : 'No shift on this phone')}</h1>
    <p>
      {t(
        isOffline
          ? 'The page needs the network once to begin.'
          : 'Your shift has ended, or never began here. Ask the dispatcher for a link. Records that are not sent stay on this phone, and are sent in your next shift.',
      )}
    </p>
  </main>
);
