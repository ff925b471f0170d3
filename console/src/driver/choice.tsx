/** One of several values, chosen by the phone's own list. */
export const Choice = ({
  name,
  label,
  of,
  words,
  chosen,
}: {
  name: string;
  label: string;
  of: readonly string[];
  words: (value: string) => string;
  chosen?: string;
}) => (
  <label className="field">
    <span>{label}</span>
    <select name={name} defaultValue={chosen ?? of[0]}>
      {of.map((value) => (
        <option key={value} value={value}>
          {words(value)}
        </option>
      ))}
    </select>
  </label>
);
