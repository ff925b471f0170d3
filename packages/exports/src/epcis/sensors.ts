import type { TemperatureUnit } from '@pto/proto/payloads';
import { calibrationUri, deviceUri, digestUri } from '../identifiers.ts';
import type { JsonObject, RecordedEntry } from '../order-record.ts';
import { conditionOf, temperatureExcursionOf } from '../payloads.ts';

/** Codes of UN/CEFACT Recommendation 20. */
const unitCodes: Readonly<Record<TemperatureUnit, string>> = {
  celsius: 'CEL',
  fahrenheit: 'FAH',
  kelvin: 'KEL',
};

const alarm = (isAlarm: boolean): JsonObject => (isAlarm ? { exception: 'ALARM_CONDITION' } : {});
const utc = (time: string): string => new Date(time).toISOString();

/**
 * Returns the sensor elements of an entry: the summary of the recorded temperatures, then each
 * excursion with its extreme. None for an entry without temperatures.
 */
export const sensorElements = (entry: RecordedEntry): readonly JsonObject[] => {
  const condition = conditionOf(entry);
  if (condition) {
    const { unit, minimum, maximum, mean, excursions, readings } = condition;
    const uom = unitCodes[unit];
    const device = {
      deviceID: deviceUri(condition.device_id),
      ...(condition.calibration_reference !== null && {
        deviceMetadata: calibrationUri(condition.calibration_reference),
      }),
      rawData: digestUri(readings.sha256),
    };
    return [
      element(condition, device, {
        ...alarm(condition.excursion_count > 0),
        minValue: minimum,
        maxValue: maximum,
        meanValue: mean,
        uom,
      }),
      ...excursions.map((one) => element(one, device, { ...alarm(true), value: one.extreme, uom })),
    ];
  }
  const excursion = temperatureExcursionOf(entry);
  if (!excursion) return [];
  const { unit, minimum, maximum, readings_sha256 } = excursion;
  return [
    element(
      excursion,
      { rawData: digestUri(readings_sha256) },
      { ...alarm(true), minValue: minimum, maxValue: maximum, uom: unitCodes[unit] },
    ),
  ];
};

const element = (
  { from, to }: { readonly from: string; readonly to: string },
  device: JsonObject,
  report: JsonObject,
): JsonObject => ({
  sensorMetadata: { startTime: utc(from), endTime: utc(to), ...device },
  sensorReport: [{ type: 'Temperature', ...report }],
});
