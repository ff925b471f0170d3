import type { ReactNode } from 'react';
import type { Schemas } from './schemas.ts';
import type { Column } from './table.tsx';
import { Text } from './text.tsx';
import { MinuteTime, Time } from './time.tsx';
import { t } from './words.ts';

/** A key as both audiences see it. */
export type ShownKey = Pick<
  Schemas['ApiKey'],
  | 'id'
  | 'name'
  | 'last4'
  | 'scopes'
  | 'created_at'
  | 'expires_at'
  | 'last_used_at'
  | 'allowed_cidrs'
>;

/** What each scope permits (contract 5.6). */
export const wordsOfScope: Readonly<Record<string, string>> = {
  'orders:read': 'read orders',
  'orders:write': 'create and change orders',
  'webhooks:manage': 'manage endpoints',
  'keys:rotate': 'rotate keys',
};

/** Scopes in words; a scope without words as it is. */
export const scopesInWords = (scopes: readonly string[]): string =>
  scopes.map((one) => t(wordsOfScope[one] ?? one)).join(', ');

/** A key as lists name it: by its name, if it has one, and by its last characters. */
export const nameOfKey = ({ name, last4 }: Pick<ShownKey, 'name' | 'last4'>): string =>
  `${name || t('unnamed')} …${last4}`;

const soonMs = 7 * 86_400_000;

/** When a key ends; marked from 7 days before. */
const Ends = ({ at }: { at: string | null | undefined }) => {
  if (!at) return <span className="faint">{t('never')}</span>;
  const isSoon = Date.parse(at) - Date.now() < soonMs;
  return <span className={isSoon ? 'badge warn' : undefined}>{<Time at={at} />}</span>;
};

/** Columns of keys. @param nameIn draws the name of a key. @param ownId of the key of the session. */
export const keyColumns = <Key extends ShownKey>(
  nameIn: (key: Key, name: ReactNode) => ReactNode = (_, name) => name,
  ownId?: string | undefined,
): readonly Column<Key>[] => [
  [
    'Key',
    (key) =>
      nameIn(
        key,
        <>
          {key.name ? (
            <strong>
              <Text of={key.name} />
            </strong>
          ) : (
            <span className="faint">{t('unnamed')}</span>
          )}{' '}
          <code className="whole">…{key.last4}</code>
          {key.id === ownId && (
            <>
              {' '}
              <span className="badge good">{t("this session's")}</span>
            </>
          )}
        </>,
      ),
  ],
  [
    'Permissions',
    ({ scopes, allowed_cidrs: from }) => (
      <>
        <span title={scopes.join(', ')}>{scopesInWords(scopes)}</span>
        {from && `; ${t('only from {addresses}', { addresses: from.join(', ') })}`}
      </>
    ),
  ],
  ['Last used', ({ last_used_at: at }) => <MinuteTime at={at ?? ''} />, 'named'],
  ['Created', ({ created_at }) => <Time at={created_at} />, 'dropped'],
  ['Ends', ({ expires_at }) => <Ends at={expires_at} />, 'named'],
];
