import { Link } from 'wouter';
import { useOrganizations } from '../parts/organizations.ts';
import { Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

/** All partner organizations. */
export const OrganizationsPage = () => (
  <>
    <h1>Organizations</h1>
    <Table
      query={useOrganizations()}
      rows={(all) => all}
      id={({ id }) => id}
      columns={[
        [
          'Name',
          ({ id, name }) => (
            <Link href={`/organizations/${id}`}>
              <Text of={name} />
            </Link>
          ),
        ],
        [
          'Access',
          ({ enabled }) => (
            <span className={`badge ${enabled ? 'good' : 'bad'}`}>
              {enabled ? 'enabled' : 'disabled'}
            </span>
          ),
        ],
        [
          'Administrators',
          ({ admins }) => admins.join(', ') || <span className="faint">none</span>,
        ],
        ['Created', ({ createdAt }) => <Time at={createdAt} />],
      ]}
      caption="Organizations"
      empty={
        <>
          No organization exists. <code>operator org create</code> creates one.
        </>
      }
    />
  </>
);
