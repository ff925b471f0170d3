/** Evidence of an order's transport: handovers, conditions and their files (decision 71). */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReadingsSchema } from '@pto/proto/orders/v1/orders';
import { evidenceMethods, readingsTypes, temperatureUnits } from '@pto/proto/vocabulary';
import { decimal, integer } from '../validation/numbers.ts';
import { anyObject, count, number, openEnum, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  type Output,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice, fileText, string, uuid } from '../validation/texts.ts';

const temperature = () => decimal({ ge: -273.15, le: 1000, decimals: 2 });

/** The limits of the goods' temperature in the request to create an order. */
export const temperatureLimits = {
  temperature_min: described(
    maybe(temperature()),
    'Lowest permitted temperature of the goods in °C. Readings below it within the custody become an incident.',
  ),
  temperature_max: described(
    maybe(temperature()),
    'Highest permitted temperature of the goods in °C. Readings above it within the custody become an incident.',
  ),
};

const requiredMethods = (what: string) =>
  described(optional(list(choice(evidenceMethods, 'KnownHandoverMethod'))), what);

/** The evidence that the operator must record, by stage. */
export const requiredEvidence = model('RequiredEvidence', {
  pickup: requiredMethods('Before the transport starts.'),
  dropoff: requiredMethods('Before the order is DELIVERED.'),
  return: requiredMethods('Before the order is CLOSED.'),
});

const handoverMethod = openEnum(
  'HandoverMethod',
  evidenceMethods,
  'How a handover is confirmed. `code`: the four digits of the page of the link for that side, compared by the server. `device_signature`: a driver’s device signed the record.',
);

/** The evidence that an order requires, in a response. */
export const orderEvidence = model('OrderEvidence', {
  pickup: list(handoverMethod),
  dropoff: list(handoverMethod),
  return: list(handoverMethod),
});

/** Returns the JSON of required evidence, with every stage. */
export const evidenceJson = ({
  pickup = [],
  dropoff = [],
  return: back = [],
}: Output<typeof requiredEvidence>): string => JSON.stringify({ pickup, dropoff, return: back });

/** Temperature readings of an order. */
export const conditionCreate = model('ConditionCreate', {
  device_id: described(string({ min: 1, max: 128 }), 'Identifies the logger.'),
  calibration_reference: described(
    maybe(string({ min: 1, max: 128 })),
    'Names the calibration certificate of the logger.',
  ),
  calibration_date: described(
    maybe(string({ pattern: /^\d{4}-\d{2}-\d{2}$/ })),
    'Date of the calibration, `YYYY-MM-DD`.',
  ),
  unit: described(choice(temperatureUnits, 'KnownTemperatureUnit'), 'Unit of the readings.'),
  media_type: described(
    choice(readingsTypes, 'KnownReadingsType'),
    'Form of `readings`: CSV (RFC 4180) with a header line that has the columns `time` and `value`, in these letters, separated by commas or semicolons, or one JSON object with these members in each line. Other columns and members are ignored.',
  ),
  readings: described(
    fileText(5 * 1024 * 1024),
    'Readings in the form of `media_type`, at most 5 MiB and 100,000. The file that a logger or its program writes mostly has other columns and times and must be converted. Times are RFC 3339 with an offset and increase; the last one is not before the order was created. Values are numbers with a decimal point, without a unit. The text is stored byte for byte.',
  ),
  summary: described(
    maybe(
      model('ConditionSummary', {
        count: optional(integer({ ge: 0, le: 100_000 })),
        minimum: optional(temperature()),
        maximum: optional(temperature()),
        mean: optional(temperature()),
      }),
    ),
    'Your summary, in `unit`. A value that the readings do not give is rejected.',
  ),
});

const moment = () => maybe(timestamp());

const conditionCustody = described(
  model('ConditionCustody', {
    from: described(moment(), 'Time at which the pickup started; null before.'),
    to: described(moment(), 'Time of the delivery; null before.'),
    covered: described(
      maybe(
        model('CoveredCustody', {
          from: described(timestamp(), 'Time of the first reading within the custody.'),
          to: described(timestamp(), 'Time of the last reading within the custody.'),
          count: described(count(), 'Number of the readings within the custody.'),
          minimum: number(),
          maximum: number(),
        }),
      ),
      'The readings within the custody; null if there are none.',
    ),
    outside: described(
      model('OutsideExcursions', {
        excursion_count: count(),
        excursion_seconds: number(),
        excursions: described(list(anyObject()), 'The first 20.'),
      }),
      'Excursions before and after the custody. They are no incident.',
    ),
  }),
  'The custody as it is known now, and which part of it the readings cover.',
);

/** The response to recorded readings. `partner-condition.ts` of orders writes the JSON. */
export const condition = model('Condition', {
  order_id: uuid(),
  sequence: described(count(), 'Number of the custody entry, from 1.'),
  custody: optional(conditionCustody),
  payload: described(anyObject(), 'The payload of the custody entry, `condition/1`.'),
});

/** Converts a partner's readings into the RPC's message. */
export const readingsOf = (
  body: Output<typeof conditionCreate>,
): MessageInitShape<typeof ReadingsSchema> => ({
  content: body.readings,
  mediaType: body.media_type,
  deviceId: body.device_id,
  calibrationReference: body.calibration_reference ?? undefined,
  calibrationDate: body.calibration_date ?? undefined,
  unit: body.unit,
  ...body.summary,
});

export const artifactPath = parameters({
  order_id: described(uuid(), 'The `id` of the order.'),
  sha256: described(
    string({ pattern: /^[0-9a-f]{64}$/ }),
    '`sha256` of the artifact in the custody entry.',
  ),
});
