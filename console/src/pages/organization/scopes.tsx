import { wordsOfScope } from '../../parts/key-columns.tsx';

/** Values of contract 5.6, which a link may have without a key. */
export const scopesOfLinks = ['orders:read', 'orders:write', 'webhooks:manage'];
const scopes = [...scopesOfLinks, 'keys:rotate'];

/**
 * Boxes for the scopes of a key or link, as the fields `scope` of a form. To rotate keys is chosen by
 * hand.
 */
export const Scopes = ({ offered = scopes }: { offered?: readonly string[] | undefined }) => (
  <fieldset className="scopes">
    <legend>Scopes</legend>
    {offered.map((scope) => (
      <label key={scope}>
        <input
          type="checkbox"
          name="scope"
          value={scope}
          defaultChecked={scope !== 'keys:rotate'}
        />{' '}
        {wordsOfScope[scope]} <code className="faint">{scope}</code>
      </label>
    ))}
  </fieldset>
);
