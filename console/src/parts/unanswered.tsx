import { useUnanswered } from '../calls/unanswered.ts';
import { ExactTime, Time } from './time.tsx';
import { t } from './words.ts';

/**
 * Says over the page, at its bottom, that no answer comes, and from when the shown data are. Nothing
 * of the page moves. @param brand the application's name.
 */
export const Unanswered = ({ brand }: { brand: string }) => {
  const since = useUnanswered();
  if (since === undefined) return null;
  const at = new Date(since).toISOString();
  return (
    <p className="unanswered" role="alert">
      <strong>{t('No answer.')}</strong> {t(`The ${brand.toLowerCase()} tries again.`)}
      {since > 0 && (
        <>
          {' '}
          {t('Data of')} <ExactTime at={at} />{' '}
          {/* changes each second, which a screen reader would read each second */}
          <span aria-hidden="true">
            (<Time at={at} />)
          </span>
        </>
      )}
    </p>
  );
};
