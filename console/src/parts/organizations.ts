import { clients } from '../calls/clients.ts';
import { everyPage } from '../calls/every-page.ts';
import { useCall } from '../calls/use-call.ts';

/** All organizations, at most 2,000. */
export const useOrganizations = () =>
  useCall(['organizations'], () =>
    everyPage(async (afterId) => {
      const { organizations, nextId } = await clients.access.listOrganizations({ afterId });
      return { rows: organizations, nextId };
    }),
  );

/** Returns a function from an organization's id to its name, or the beginning of the id. */
export const useOrganizationName = (): ((id: string) => string) => {
  const { data } = useOrganizations();
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id.slice(0, 8);
};
