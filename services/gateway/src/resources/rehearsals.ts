import type { Rehearsal } from '@pto/proto/webhooks/v1/webhooks';
import { integer } from '../validation/numbers.ts';
import { count, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  type Output,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice } from '../validation/texts.ts';
import { duration, durationOf } from './sandbox.ts';

const faults = ['duplicate', 'late', 'reorder'] as const;
const speed = () => integer({ ge: 1, le: 60 });

/** Header of `POST /webhooks` in the sandbox. Production ignores it. */
export const speedHeader = parameters({
  'X-Sandbox-Speed': described(
    optional(speed()),
    'Sandbox only: for 24 hours the retry waits of the endpoint are divided by this number, as with `PUT /sandbox/webhooks/{endpoint_id}/rehearsal`.',
  ),
});

/** The request to rehearse deliveries (decision 67). */
export const rehearsalRequest = model('RehearsalRequest', {
  speed: described(
    maybe(speed()),
    'The retry waits are divided by it: at 60, the 24 hours of the schedule take 24 minutes. Absent: 1.',
  ),
  faults: described(
    maybe(list(choice(faults, 'KnownRehearsalFault'))),
    '`duplicate`: each delivery arrives twice, as after a lost response. `late`: a delivery arrives 30 s, divided by the speed, after its event. `reorder`: of two deliveries in succession the later one arrives first.',
  ),
  duration: described(
    optional(duration({ zero: false }), '1h'),
    'When the rehearsal ends, counted from now, such as `30m`; at most `24h`.',
  ),
});

/** Returns the fields of the RPC. A request with neither speed nor faults ends the rehearsal. */
export const rehearsalMessage = (wanted: Output<typeof rehearsalRequest>) => {
  const isEnd = wanted.speed === null && (wanted.faults ?? []).length === 0;
  return {
    speed: wanted.speed ?? 1,
    faults: [...(wanted.faults ?? [])],
    forMs: isEnd ? 0 : durationOf(wanted.duration),
  };
};

export const rehearsal = model('Rehearsal', {
  speed: described(count(), 'The retry waits are divided by it; 1 without a rehearsal.'),
  faults: list(openEnum('RehearsalFault', faults, 'A fault on the way to the receiver.')),
  ends_at: described(maybe(timestamp()), 'When the rehearsal ends; null: there is none now.'),
});

/** Returns the JSON for partners. */
export const rehearsalJson = ({ speed, faults, endsAt }: Rehearsal): Output<typeof rehearsal> => ({
  speed,
  faults,
  ends_at: endsAt === '' ? null : endsAt,
});
