/** Values of contract 5.6. */
const scopes = ['orders:read', 'orders:write', 'webhooks:manage'];

/** Boxes for the scopes of a key or link, as the fields `scope` of a form. */
export const Scopes = ({ offered = scopes }: { offered?: readonly string[] | undefined }) => (
  <fieldset className="scopes">
    <legend>Scopes</legend>
    {offered.map((scope) => (
      <label key={scope}>
        <input type="checkbox" name="scope" value={scope} defaultChecked /> {scope}
      </label>
    ))}
  </fieldset>
);
