import { useUnanswered } from '../calls/unanswered.ts';
import { ExactTime, Time } from './time.tsx';
import { t } from './words.ts';

/**
 * Says over the page, at its bottom, that no answer comes, and from when the shown data are. Nothing
 * of the page moves.
 */
export const Unanswered = () => {
  const unanswered = useUnanswered();
  if (!unanswered) return null;
  const { since, what } = unanswered;
  const at = new Date(since).toISOString();
  return (
    <p className="unanswered" role="alert">
      <strong>{what}</strong> {t('The page tries again.')}
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
