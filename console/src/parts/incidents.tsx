import { wordOf } from './badge.tsx';
import type { Schemas } from './schemas.ts';
import { t } from './words.ts';

/** How often an incident of an order was reported, by the types of its entries, and what is open. */
export const Incidents = ({
  of,
  open = [],
}: {
  of: readonly { readonly type: string }[];
  open?: Schemas['Order']['open_incidents'];
}) => {
  const count = of.filter(({ type }) => type === 'order.incident_reported').length;
  if (count === 0 && open.length === 0) return null;
  return (
    <>
      {/* what is open is counted by its list, which has escalations, too */}
      {count > 0 && (
        <span className="badge bad">
          {count === 1 || open.length > 0 ? t('incident') : t('{count} incidents', { count })}
        </span>
      )}
      {open.length === 0 ? (
        <span className="faint">{t('all resolved')}</span>
      ) : (
        <strong className="late">
          {t('Open')}:{' '}
          {open
            .map(
              ({ entry, kind, severity }) =>
                `${wordOf(kind)} (${wordOf(severity)}, ${t('entry')} ${entry})`,
            )
            .join('; ')}
        </strong>
      )}
    </>
  );
};
