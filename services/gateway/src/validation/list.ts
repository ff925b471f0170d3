import { rejected } from './fault.ts';
import type { Schema } from './schema.ts';

/** A JSON array whose entries all have one schema. */
export const list = <T>(entry: Schema<T>, { min = 0 } = {}): Schema<readonly T[]> => ({
  read: (input, loc, faults) => {
    if (!Array.isArray(input))
      return faults.add('list_type', loc, 'Input should be a valid list', { input });
    if (input.length < min)
      return faults.add(
        'too_short',
        loc,
        `List should have at least ${min} item${min === 1 ? '' : 's'} after validation, not ${input.length}`,
        { input, ctx: { field_type: 'List', min_length: min, actual_length: input.length } },
      );
    const values: T[] = [];
    let sound = true;
    for (const [n, one] of input.entries()) {
      if (faults.full) return rejected;
      const value = entry.read(one, [...loc, n], faults);
      if (value === rejected) sound = false;
      else values.push(value);
    }
    return sound ? values : rejected;
  },
  json: { type: 'array', items: entry.json, ...(min > 0 && { minItems: min }) },
});
