import type { Key } from '@pto/proto/access/v1/access';
import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { useMay } from '../parts/me.ts';
import { Pending } from '../parts/pending.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Confirm, Field, FormWindow, Window } from '../parts/window.tsx';
import { Requests } from './requests.tsx';

/** One organization: its endpoints, keys and requests. */
export const OrganizationPage = ({ id }: { id: string }) => {
  const shown = useCall(['organization', id], () => clients.access.getOrganization({ id }));
  if (!shown.data) return <Pending of="Organization" query={shown} />;
  const { name, enabled } = shown.data.organization!;
  return (
    <>
      <div className="bar">
        <h1>{name}</h1>
        <span className={`badge ${enabled ? 'good' : 'bad'}`}>
          {enabled ? 'enabled' : 'disabled'}
        </span>
        <Link href={`/orders?show=all&of=${id}`}>Its orders</Link>
        <Copy text={id} />
      </div>
      <Endpoints organizationId={id} />
      <Keys organizationId={id} />
      <Requests organizationId={id} />
    </>
  );
};

const endpointColumns: readonly Column<Endpoint>[] = [
  ['URL', ({ id, url }) => <Link href={`/endpoints/${id}`}>{url}</Link>],
  ['Status', ({ status, disabled }) => <Badge of={disabled ? 'DISABLED' : status} />],
  ['Failures in a row', ({ consecutiveFailures }) => consecutiveFailures],
  ['Last success', ({ lastSuccessAt }) => <Time at={lastSuccessAt} />],
  ['Becomes broken', ({ health }) => (health?.breaksAt ? <Time at={health.breaksAt} /> : '')],
];

const Endpoints = ({ organizationId }: { organizationId: string }) => (
  <section aria-label="Endpoints">
    <h2>Endpoints</h2>
    <Table
      query={useCall(['organization', organizationId, 'endpoints'], () =>
        clients.deliveries.listOrganizationEndpoints({ organizationId }),
      )}
      rows={({ endpoints }) => endpoints}
      id={({ id }) => id}
      columns={endpointColumns}
      caption="Endpoints"
      empty="The organization has no webhook endpoint."
    />
  </section>
);

const nameOfKey = ({ name, last4 }: Key): string => `${name || 'unnamed'} …${last4}`;

const scopes = ['orders:read', 'orders:write', 'webhooks:manage'];

const Keys = ({ organizationId }: { organizationId: string }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [issuing, setIssuing] = useState(false);
  const [secret, setSecret] = useState('');
  const [asked, setAsked] = useState<{ what: 'revoke' | 'rotate'; key: Key }>();
  const name = ['organization', organizationId, 'keys'];
  const query = useCall(name, () => clients.access.listKeys({ organizationId }));
  const changed = () => queries.invalidateQueries({ queryKey: name });
  const issue = async (fields: FormData) => {
    const made = await clients.access.issueKey({
      organizationId,
      name: fields.get('name')!.toString(),
      scopes: fields.getAll('scope').map(String),
    });
    setSecret(made.secret);
    await changed();
  };
  const columns: readonly Column<Key>[] = [
    [
      'Key',
      (key) =>
        may('auditor') ? (
          <Link href={`/audit?target=${key.id}`} title="Its actions in the audit log">
            {nameOfKey(key)}
          </Link>
        ) : (
          nameOfKey(key)
        ),
    ],
    ['Scopes', (key) => key.scopes.join(', ')],
    ['Last use', ({ lastUsedAt }) => <Time at={lastUsedAt} />],
    [
      'State',
      ({ revokedAt, expiresAt }) =>
        revokedAt !== '' ? (
          <span className="badge ended">revoked</span>
        ) : (
          <>valid{expiresAt !== '' && <> until {expiresAt.slice(0, 10)}</>}</>
        ),
    ],
    ['Addresses', ({ allowedCidrs }) => allowedCidrs.join(', ') || 'any'],
    [
      'Do',
      (key) =>
        may('admin') &&
        key.revokedAt === '' && (
          <>
            <button
              type="button"
              className="quiet"
              onClick={() => setAsked({ what: 'rotate', key })}
            >
              Rotate
            </button>
            <button
              type="button"
              className="quiet"
              onClick={() => setAsked({ what: 'revoke', key })}
            >
              Revoke
            </button>
          </>
        ),
    ],
  ];
  return (
    <section aria-label="Keys">
      <div className="bar">
        <h2>Keys</h2>
        {may('admin') && (
          <button type="button" onClick={() => setIssuing(true)}>
            Issue a key
          </button>
        )}
      </div>
      <Table
        query={query}
        rows={({ keys }) => keys}
        id={({ id }) => id}
        columns={columns}
        caption="Keys"
        empty="The organization has no key."
      />
      <FormWindow
        title="Issue a key"
        verb="Issue"
        open={issuing}
        onClose={() => setIssuing(false)}
        submit={issue}
      >
        <Field label="Name" name="name" maxLength={100} />
        <fieldset className="scopes">
          <legend>Scopes</legend>
          {scopes.map((scope) => (
            <label key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked /> {scope}
            </label>
          ))}
        </fieldset>
      </FormWindow>
      <Window title="The new key" open={secret !== ''} onClose={() => setSecret('')}>
        <p>Hand it to the partner now. Nobody can read it again.</p>
        <Copy text={secret} />
      </Window>
      {asked && (
        <Confirm
          title={asked.what === 'revoke' ? 'Revoke the key' : 'Rotate the key'}
          text={
            asked.what === 'revoke'
              ? `The key …${asked.key.last4} is rejected within 5 s. This cannot be undone.`
              : `A new key is issued. The key …${asked.key.last4} works for another 24 h.`
          }
          open
          onClose={() => setAsked(undefined)}
          actions={[
            asked.what === 'revoke'
              ? [
                  'Revoke',
                  async () => {
                    await clients.access.revokeKey({ id: asked.key.id });
                    await changed();
                  },
                ]
              : [
                  'Rotate',
                  async () => {
                    setSecret((await clients.access.rotateKey({ id: asked.key.id })).secret);
                    await changed();
                  },
                ],
          ]}
        />
      )}
    </section>
  );
};
