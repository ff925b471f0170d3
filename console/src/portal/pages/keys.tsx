import { useState } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { Choice } from '../../parts/choice.tsx';
import { keyColumns, nameOfKey } from '../../parts/key-columns.tsx';
import { QuietButton } from '../../parts/quiet-button.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { FormWindow } from '../../parts/window.tsx';
import { rich, t } from '../../parts/words.ts';
import { command, read } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';

type Key = Schemas['ApiKey'];

/** Times in which the old key works, too, in seconds. A session's own key cannot end at once. */
const overlapsOf = (isOwn: boolean) => [
  [86_400, t('24 hours')] as const,
  [7 * 86_400, t('7 days')] as const,
  isOwn
    ? ([60, t('1 minute: it has leaked')] as const)
    : ([0, t('No time: it has leaked')] as const),
];

/** The keys that the session may see; one that it may rotate has a button. */
export const KeysPage = () => {
  const { ownKeyId } = usePermitted();
  const withId = useCommandIds();
  const [rotated, setRotated] = useState<Key>();
  const [secret, setSecret] = useState('');
  const rotate = async (fields: FormData) => {
    const { id } = rotated!;
    const overlap = Number(fields.get('overlap'));
    const made = await withId(`${id} ${overlap}`, (commandId) =>
      command<Schemas['RotatedKey']>('POST', `/keys/${id}/rotate`, { overlap }, commandId),
    );
    setSecret(made.key);
  };
  const state: Column<Key> = [
    'Actions',
    (key) => {
      if (key.replaced_by !== null) return <span className="badge ended">{t('replaced')}</span>;
      return (
        key.rotatable && <QuietButton onClick={() => setRotated(key)}>{t('Rotate')}</QuietButton>
      );
    },
  ];
  return (
    <>
      <div className="bar">
        <h1>{t('Keys')}</h1>
      </div>
      <p className="faint">
        {t('The operator issues keys: ask there for a new one, or for other permissions.')}
      </p>
      <div className="stacked">
        <Table
          query={useCall(['keys'], () => read<Key[]>('/keys'), livePortal)}
          rows={(keys) => keys}
          columns={[...keyColumns<Key>(undefined, ownKeyId), state]}
          caption="Keys"
          empty={t('There is no key that this session may see.')}
        />
      </div>
      {rotated && (
        <FormWindow
          title={t('Rotate the key')}
          verb="Rotate"
          isRepeatable
          onClose={() => setRotated(undefined)}
          changes={[['keys']]}
          submit={rotate}
        >
          <p>
            {rich(
              'A new key with the same rights is shown once. The key {key} ends after the time below.',
              {
                key: <strong>{nameOfKey(rotated)}</strong>,
              },
            )}{' '}
            {rotated.id === ownKeyId && t('Your session ends with it.')}
          </p>
          <Choice
            label="The old key works for another"
            name="overlap"
            options={overlapsOf(rotated.id === ownKeyId)}
          />
        </FormWindow>
      )}
      <SecretWindow
        title={t('The new key')}
        text={t('Store it now. Nobody can show it again.')}
        secret={secret}
        onClose={() => setSecret('')}
      />
    </>
  );
};
