import { AddressSelect } from '../../parts/address-select.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { usePeople } from '../operators/people.tsx';
import { useTokens } from '../operators/tokens.tsx';
import { changes, choiceOf, reads } from './actions.ts';

const kinds = [
  ['', 'Changes only'],
  ['all', 'Every call'],
] as const;

/** The filters of the audit log, which stay in the address. Days are those of UTC. */
export const AuditFilters = () => {
  const address = useAddress();
  const operators = new Set(
    [...(usePeople().data ?? []), ...(useTokens().data ?? [])].map(({ name }) => name),
  );
  const input = (name: string, label: string, more: Readonly<Record<string, string>>) => (
    <label>
      {label}
      <input
        {...more}
        value={address.get(name)}
        onChange={({ target: { value } }) => address.set({ [name]: value }, { isTyped: true })}
      />
    </label>
  );
  const action = address.get('action');
  const groups = { ...changes, ...(address.get('show') === 'all' && { Reads: undefined }) };
  return (
    <div className="bar filter">
      {input('from', 'From', { type: 'date' })}
      {input('to', 'To', { type: 'date' })}
      {input('operator', 'Operator', { list: 'operators', placeholder: 'Name or id' })}
      <datalist id="operators">
        {[...operators].toSorted().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label>
        Action
        <select value={action} onChange={({ target: { value } }) => address.set({ action: value })}>
          <option value="">All</option>
          {Object.entries(groups).map(([group, own]) => (
            <optgroup key={group} label={group}>
              {(own ? Object.keys(own) : reads).map((name) => (
                <option key={name} value={name}>
                  {choiceOf(name)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {input('target', 'Target', { placeholder: 'Id or name' })}
      <div>
        <span aria-hidden="true">Calls</span>
        <AddressSelect name="show" label="Calls" options={kinds} />
      </div>
    </div>
  );
};
