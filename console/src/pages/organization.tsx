import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Copy } from '../parts/copy.tsx';
import { Pending } from '../parts/pending.tsx';
import { Text } from '../parts/text.tsx';
import { Endpoints } from './organization/endpoints.tsx';
import { Keys } from './organization/keys.tsx';
import { PortalLinks } from './organization/portal-links.tsx';
import { Requests } from './requests.tsx';

/** One organization: its endpoints, keys, links to the portal, and requests. */
export const OrganizationPage = ({ id }: { id: string }) => {
  const shown = useCall(['organization', id], () => clients.access.getOrganization({ id }));
  if (!shown.data) return <Pending of="Organization" query={shown} />;
  const { name, enabled } = shown.data.organization!;
  return (
    <>
      <div className="bar">
        <h1>
          <Text of={name} />
        </h1>
        <span className={`badge ${enabled ? 'good' : 'bad'}`}>
          {enabled ? 'enabled' : 'disabled'}
        </span>
        <Link href={`/orders?show=all&of=${id}`}>Its orders</Link>
        <Copy text={id} />
      </div>
      <p className="jumps">
        <a href="#endpoints">Endpoints</a> <a href="#keys">Keys</a>{' '}
        <a href="#portal-links">Portal links</a> <a href="#requests">Requests</a>
      </p>
      <Endpoints organizationId={id} />
      <Keys organizationId={id} />
      <PortalLinks organizationId={id} />
      <Requests organizationId={id} />
    </>
  );
};
