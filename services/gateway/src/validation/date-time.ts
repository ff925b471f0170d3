import { isStorable, readInstant } from './instant.ts';
import type { Schema } from './schema.ts';

/** A point in time with microsecond precision. */
export class Instant {
  readonly micros: bigint;

  constructor(micros: bigint) {
    this.micros = micros;
  }

  /** The time as `YYYY-MM-DDTHH:mm:ss.sssZ`, with microseconds truncated. */
  get millisText(): string {
    return new Date(this.#millis).toISOString();
  }

  /** The time as `YYYY-MM-DDTHH:mm:ss.ssssssZ`. */
  get microsText(): string {
    const rest = this.micros - BigInt(this.#millis) * 1000n;
    return this.millisText.replace('Z', `${String(rest).padStart(3, '0')}Z`);
  }

  get #millis(): number {
    return Number((this.micros - (((this.micros % 1000n) + 1000n) % 1000n)) / 1000n);
  }
}

/** A date-time in every form that pydantic accepts. Without an offset it is UTC (decision 6). */
export const dateTime = (): Schema<Instant> => ({
  read: (input, loc, faults) => {
    const reading = readInstant(input);
    if ('micros' in reading)
      return isStorable(reading.micros)
        ? new Instant(reading.micros)
        : faults.addRule(loc, 'the year in UTC must be 1 to 9999', input);
    const { fault, reason } = reading;
    if (fault === 'type')
      return faults.add('datetime_type', loc, 'Input should be a valid datetime', { input });
    const [type, what] =
      fault === 'text'
        ? ['datetime_from_date_parsing', 'datetime or date']
        : ['datetime_parsing', 'datetime'];
    return faults.add(type, loc, `Input should be a valid ${what}, ${reason}`, {
      input,
      ctx: { error: reason },
    });
  },
  json: { type: 'string', format: 'date-time' },
});
