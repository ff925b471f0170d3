import type { ReactNode } from 'react';
import { useCommand } from '../parts/use-command.ts';
import { t } from '../parts/words.ts';
import { NotSent } from './bar.tsx';
import { reasonOf } from './reason.ts';
import { Problem } from './record-list.tsx';
import { openShift, readShift } from './shift.ts';

/** What there is without a shift. */
const Entrance = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="sign-in driver">
    <title>{t('Your transports')}</title>
    <h1>{title}</h1>
    {children}
  </main>
);

/** Opens the shift of a link. A button does it: programs that look into messages open links, too. */
export const Opening = ({ code, onDone }: { code: string; onDone: (shiftId: string) => void }) => {
  const { error, isBusy, run } = useCommand(() => {});
  const reason = error === undefined ? undefined : reasonOf(error);
  const open = () =>
    run(async () => {
      await openShift(code);
      onDone((await readShift()).id);
    });
  return (
    <Entrance title={t('Your transports')}>
      <p>{t('This link opens once, on one phone. Your records are signed by this phone.')}</p>
      {reason && (
        <p className="error" role="alert">
          {reason.kind === 'NO_ANSWER' ? (
            `${t('No answer.')} ${t('Press the button again within a minute: the link still works here.')}`
          ) : (
            <Problem of={reason} />
          )}
        </p>
      )}
      <button type="button" onClick={open} disabled={isBusy}>
        {t(isBusy ? 'Wait …' : 'Begin the shift')}
      </button>
    </Entrance>
  );
};

/** There is no shift on this phone. What is not sent waits for the driver's next one. */
export const NoShift = () => (
  <Entrance title={t('No shift on this phone')}>
    <p>{t('Your shift has ended, or never began here. Ask the dispatcher for a link.')}</p>
    <NotSent />
  </Entrance>
);

/** The shift cannot be read, and the phone has none from before. */
export const NotRead = ({ error, onAgain }: { error: unknown; onAgain: () => void }) => (
  <Entrance title={t('The page cannot begin')}>
    <p className="error" role="alert">
      <Problem of={reasonOf(error)} />
    </p>
    <button type="button" onClick={onAgain}>
      {t('Try again')}
    </button>
  </Entrance>
);
