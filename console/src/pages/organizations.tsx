import type { Organization } from '@pto/proto/access/v1/access';
import { counted } from '../parts/counted.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useOrganizations } from '../parts/organizations.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useTroubles } from './organizations/use-troubles.ts';

/** All partner organizations, those with most open trouble first. */
export const OrganizationsPage = () => {
  const query = useOrganizations();
  const troublesOf = useTroubles();
  const all = query.data ?? [];
  const troubled = all.filter((one) => troublesOf(one).length > 0).length;
  const columns: readonly Column<Organization>[] = [
    [
      'Organization',
      ({ id, name }) => <LinkedText of={name} at={`/organizations/${id}`} className="order" />,
      'title',
    ],
    ['Open', (organization) => <Troubles of={troublesOf(organization)} />],
    [
      'Administrators',
      ({ admins }) => admins.join(', ') || <span className="faint">none</span>,
      'named',
    ],
    ['Created', ({ createdAt }) => <Time at={createdAt} />, 'named'],
  ];
  return (
    <>
      <h1>Organizations</h1>
      {all.length > 0 && (
        <p>
          {troubled === 0
            ? `Nothing is open at ${counted(all.length, 'organization')}.`
            : `Something is open at ${troubled} of ${counted(all.length, 'organization')}.`}
        </p>
      )}
      <div className="stacked">
        <Table
          query={query}
          rows={(rows) =>
            rows.toSorted((a, b) => weightOf(troublesOf(b)) - weightOf(troublesOf(a)))
          }
          columns={columns}
          caption="Organizations"
          empty={
            <>
              No organization exists. <code>operator org create</code> creates one.
            </>
          }
        />
      </div>
    </>
  );
};

type Trouble = ReturnType<ReturnType<typeof useTroubles>>[number];

const weightOf = (troubles: readonly Trouble[]): number =>
  troubles.reduce((sum, { weight }) => sum + weight, 0);

const Troubles = ({ of }: { of: readonly Trouble[] }) =>
  of.length === 0 ? (
    <span className="faint">nothing open</span>
  ) : (
    <ul className="plain">
      {of.map(({ words, href, weight }) => (
        <li key={words}>
          <LinkedText of={words} at={href} className={weight > 1 ? 'wrong' : ''} />
        </li>
      ))}
    </ul>
  );
