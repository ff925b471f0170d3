import { operatorRoles } from '@pto/proto/callers';
import { clients } from '../calls/clients.ts';
import { everyPage } from '../calls/every-page.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from './me.ts';

/** All organizations, at most 2,000; none for a carrier, who sees no organization. */
export const useOrganizations = () => {
  const enabled = useMay()(...operatorRoles);
  return useCall(
    ['organizations'],
    () =>
      everyPage(async (afterId) => {
        const { organizations, nextId } = await clients.access.listOrganizations({ afterId });
        return { rows: organizations, nextId };
      }),
    { enabled },
  );
};

/** Returns a function from an organization's id to its name, or the beginning of the id; for a carrier empty. */
export const useOrganizationName = (): ((id: string) => string) => {
  const { data } = useOrganizations();
  const sees = useMay()(...operatorRoles);
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => (sees ? (names.get(id) ?? id.slice(0, 8)) : '');
};
