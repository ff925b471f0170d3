import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { PageFailure } from '../../calls/failure.ts';
import { Choice } from '../../parts/choice.tsx';
import { nameOfKey } from '../../parts/key-columns.tsx';
import { FormWindow } from '../../parts/window.tsx';
import { useEndpoints } from './endpoints.tsx';
import { useKeys } from './keys.tsx';
import { Scopes, scopesOfLinks } from './scopes.tsx';

/** Times until a session ends, in seconds; the first is that of the command line. */
const lasting = [
  [3600, '1 hour'],
  [300, '5 minutes'],
  [4 * 3600, '4 hours'],
  [12 * 3600, '12 hours'],
] as const;

/** Creates a link to the portal. @param onDone gets the link, which no later answer has. */
export const CreateLink = ({
  organizationId,
  onDone,
  ...window
}: Pick<Parameters<typeof FormWindow>[0], 'onClose' | 'changes'> & {
  organizationId: string;
  onDone: (url: string) => void;
}) => {
  const { data } = useEndpoints(organizationId);
  const keys = useKeys(organizationId).data?.keys.filter(({ revokedAt }) => revokedAt === '');
  const [keyId, setKeyId] = useState('');
  const create = async (fields: FormData) => {
    const scopes = fields.getAll('scope').map(String);
    // the service takes none for all
    if (scopes.length === 0) throw new PageFailure('Choose at least one scope.');
    const { url } = await clients.access.createPortalLink({
      organizationId,
      keyId,
      rights: {
        scopes,
        readOnly: fields.has('read-only'),
        endpointId: fields.get('endpoint')!.toString(),
        lastsSeconds: Number(fields.get('lasts')),
      },
    });
    onDone(url);
  };
  return (
    <FormWindow title="Create a link" verb="Create" {...window} submit={create}>
      <p>One person opens it once, within an hour, and sees what its rights permit.</p>
      <Choice
        label="Key"
        hint="With a key, the link has at most its rights, and ends with it."
        value={keyId}
        onChange={({ target: { value } }) => setKeyId(value)}
        options={[['', 'None'], ...(keys ?? []).map((key) => [key.id, nameOfKey(key)] as const)]}
      />
      <Scopes offered={keys?.find(({ id }) => id === keyId)?.scopes ?? scopesOfLinks} />
      <label>
        <input type="checkbox" name="read-only" /> Reading only
      </label>
      <Choice
        label="Endpoint"
        hint="With one, the link shows this endpoint and no order."
        name="endpoint"
        options={[['', 'All'], ...(data ?? []).map(({ id, url }) => [id, url] as const)]}
      />
      <Choice label="Ends after" name="lasts" options={lasting} />
    </FormWindow>
  );
};
