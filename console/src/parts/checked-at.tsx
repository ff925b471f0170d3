import type { UseQueryResult } from '@tanstack/react-query';
import { Time } from './time.tsx';

/** When what the page says was read: its age grows while no answer comes. */
export const CheckedAt = ({
  query: { dataUpdatedAt },
}: {
  query: Pick<UseQueryResult<unknown>, 'dataUpdatedAt'>;
}) => (
  <span className="checked">
    checked <Time at={new Date(dataUpdatedAt).toISOString()} />
  </span>
);
