import type { Key } from '@pto/proto/access/v1/access';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { keyColumns, nameOfKey, type ShownKey } from '../../parts/key-columns.tsx';
import { useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Confirm, Field, FormWindow } from '../../parts/window.tsx';
import { Scopes } from './scopes.tsx';

interface OwnKey extends ShownKey {
  readonly revokedAt: string;
}

const shownKey = (key: Key): OwnKey => ({
  ...key,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
  allowed_cidrs: key.allowedCidrs.length > 0 ? key.allowedCidrs : null,
});

/** The keys of an organization. */
export const useKeys = (organizationId: string) =>
  useCall(['organization', organizationId, 'keys'], () =>
    clients.access.listKeys({ organizationId }),
  );

/** An organization's keys; an administrator issues, rotates and revokes them. */
export const Keys = ({ organizationId }: { organizationId: string }) => {
  const may = useMay();
  const [issuing, setIssuing] = useState(false);
  const [secret, setSecret] = useState('');
  const [revoked, setRevoked] = useState<OwnKey>();
  const [rotated, setRotated] = useState<OwnKey>();
  const query = useKeys(organizationId);
  const changes = [['organization', organizationId, 'keys']];
  const issue = async (fields: FormData) => {
    const made = await clients.access.issueKey({
      organizationId,
      name: fields.get('name')!.toString(),
      scopes: fields.getAll('scope').map(String),
    });
    setSecret(made.secret);
  };
  const columns: readonly Column<OwnKey>[] = [
    ...keyColumns<OwnKey>((key, name) =>
      may('auditor') ? (
        <Link href={`/audit?target=${key.id}`} title="Its actions in the audit log">
          {name}
        </Link>
      ) : (
        name
      ),
    ),
    [
      'Actions',
      (key) => {
        if (key.revokedAt !== '') return <span className="badge ended">revoked</span>;
        return (
          may('admin') && (
            <>
              <QuietButton onClick={() => setRotated(key)}>Rotate</QuietButton>
              <QuietButton className="danger" onClick={() => setRevoked(key)}>
                Revoke
              </QuietButton>
            </>
          )
        );
      },
    ],
  ];
  return (
    <section aria-label="Keys" id="keys">
      <div className="bar">
        <h2>Keys</h2>
        {may('admin') && (
          <button type="button" onClick={() => setIssuing(true)}>
            Issue a key
          </button>
        )}
      </div>
      <div className="stacked">
        <Table
          query={query}
          rows={({ keys }) => keys.map(shownKey)}
          columns={columns}
          caption="Keys"
          empty="The organization has no key."
        />
      </div>
      {issuing && (
        <FormWindow
          title="Issue a key"
          verb="Issue"
          onClose={() => setIssuing(false)}
          {...{ changes }}
          submit={issue}
        >
          <Field label="Name" name="name" maxLength={100} />
          <Scopes />
        </FormWindow>
      )}
      <SecretWindow
        title="The new key"
        text="Hand it to the partner now. Nobody can read it again."
        secret={secret}
        onClose={() => setSecret('')}
      />
      {revoked && (
        <Confirm
          title="Revoke the key"
          text={`The key ${nameOfKey(revoked)} is rejected within 5 s. This cannot be undone.`}
          isDangerous
          onClose={() => setRevoked(undefined)}
          {...{ changes }}
          actions={{ Revoke: () => clients.access.revokeKey({ id: revoked.id }) }}
        />
      )}
      {rotated && (
        <Confirm
          title="Rotate the key"
          text={`A new key is issued. The key ${nameOfKey(rotated)} works for another 24 h.`}
          onClose={() => setRotated(undefined)}
          {...{ changes }}
          actions={{
            Rotate: async () =>
              setSecret((await clients.access.rotateKey({ id: rotated.id })).secret),
          }}
        />
      )}
    </section>
  );
};
