import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';

const pagesMax = 20;

/** All organizations, at most 2,000. */
export const useOrganizations = () =>
  useCall(['organizations'], async () => {
    const all = [];
    let afterId = '';
    for (let n = 0; n < pagesMax; n++) {
      const page = await clients.access.listOrganizations({ afterId });
      all.push(...page.organizations);
      afterId = page.nextId;
      if (afterId === '') break;
    }
    return all;
  });

/** Returns a function from an organization's id to its name, or the beginning of the id. */
export const useOrganizationName = (): ((id: string) => string) => {
  const { data } = useOrganizations();
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id.slice(0, 8);
};
