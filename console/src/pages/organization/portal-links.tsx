import type { PortalSession } from '@pto/proto/access/v1/portal';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { everyPage } from '../../calls/every-page.ts';
import { useCall } from '../../calls/use-call.ts';
import { CopyId } from '../../parts/copy.tsx';
import { nameOfKey, scopesInWords } from '../../parts/key-columns.tsx';
import { useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { shortId } from '../../parts/short-id.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { MinuteTime, Time } from '../../parts/time.tsx';
import { Confirm } from '../../parts/window.tsx';
import { CreateLink } from './create-link.tsx';
import { useKeys } from './keys.tsx';

/** What a link permits, in words. */
const Rights = ({ of: { scopes, readOnly, endpointId } }: { of: PortalSession }) => (
  <>
    <span title={scopes.join(', ')}>{scopesInWords(scopes)}</span>
    {readOnly && ', reading only'}
    {endpointId !== '' && (
      <>
        {', '}
        <Link href={`/endpoints/${endpointId}`}>one endpoint</Link>
      </>
    )}
  </>
);

/** Whether a link was opened, and until when it can be. */
const State = ({ of: { openedAt, opensUntil } }: { of: PortalSession }) => {
  if (openedAt !== '')
    return (
      <>
        opened <Time at={openedAt} />
      </>
    );
  return Date.parse(opensUntil) > Date.now() ? (
    <>
      not opened; opens until <Time at={opensUntil} />
    </>
  ) : (
    <span className="faint">not opened in time</span>
  );
};

/** An organization's links to the portal and their sessions; an administrator creates and ends them. */
export const PortalLinks = ({ organizationId }: { organizationId: string }) => {
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [url, setUrl] = useState('');
  const [ended, setEnded] = useState<PortalSession>();
  const name = ['organization', organizationId, 'portal-links'];
  const query = useCall(name, () =>
    everyPage(async (afterId) => {
      const page = await clients.access.listPortalSessions({ organizationId, afterId });
      return { rows: page.sessions, nextId: page.nextId };
    }),
  );
  const keys = useKeys(organizationId).data?.keys;
  const keyOf = ({ parentId }: PortalSession): string => {
    if (parentId === '') return 'none';
    const key = keys?.find(({ id }) => id === parentId);
    return key ? nameOfKey(key) : shortId(parentId);
  };
  const columns: readonly Column<PortalSession>[] = [
    ['Link', ({ id }) => <CopyId of={id} />, 'detail'],
    ['Permissions', (link) => <Rights of={link} />, 'title'],
    ['Key', keyOf, 'named'],
    ['State', (link) => <State of={link} />, 'state'],
    ['Last used', ({ lastUsedAt }) => <MinuteTime at={lastUsedAt} />, 'named'],
    ['Created', ({ createdAt }) => <Time at={createdAt} />, 'dropped'],
    ['Ends', ({ expiresAt }) => <Time at={expiresAt} />, 'named'],
    [
      'Actions',
      (link) =>
        may('admin') && (
          <QuietButton className="danger" onClick={() => setEnded(link)}>
            End
          </QuietButton>
        ),
    ],
  ];
  return (
    <section aria-label="Portal links" id="portal-links">
      <div className="bar">
        <h2>Portal links</h2>
        {may('admin') && (
          <button type="button" onClick={() => setCreating(true)}>
            Create a link
          </button>
        )}
      </div>
      <Table
        query={query}
        rows={(all) => all.toReversed()}
        columns={columns}
        caption="Portal links"
        empty="The organization has no link to the portal, and no session of it."
      />
      {isCreating && (
        <CreateLink
          organizationId={organizationId}
          onClose={() => setCreating(false)}
          changes={[name]}
          onDone={setUrl}
        />
      )}
      <SecretWindow
        title="The new link"
        text="Hand it to one person now. Nobody can read it again."
        secret={url}
        onClose={() => setUrl('')}
      />
      {ended && (
        <Confirm
          title="End the link"
          text="The link no longer opens, and its session is rejected within 5 s. This cannot be undone."
          isRepeatable
          isDangerous
          onClose={() => setEnded(undefined)}
          changes={[name]}
          actions={{
            End: () => clients.access.endPortalSession({ id: ended.id }),
          }}
        />
      )}
    </section>
  );
};
