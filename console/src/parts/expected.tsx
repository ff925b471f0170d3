import { PlaceTime } from './place-time.tsx';
import { t } from './words.ts';

/** How an expected time was found, in words. */
const sources: Readonly<Record<string, string>> = {
  estimate: 'estimated',
  driver: 'by the driver',
  router: 'by route',
};

/**
 * When a driver is expected at a place, and who says so.
 * @param due until when the driver must be there; absent: any time will do.
 */
export const Expected = ({
  at,
  source,
  due,
  country,
}: {
  at: string;
  source: string | null | undefined;
  due?: string | null | undefined;
  country: string;
}) => (
  <span className={due && at > due ? 'late' : 'faint'}>
    {t('expected')} <PlaceTime at={at} country={country} />{' '}
    {`(${t(sources[`${source}`] ?? `${source}`)})`}
    {due && at > due && `, ${t('late')}`}
  </span>
);
