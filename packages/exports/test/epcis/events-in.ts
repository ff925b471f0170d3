import type { JsonObject } from '../../src/order-record.ts';

/** Returns the events of an EPCIS document as a partner parses them. */
export const eventsIn = (document: JsonObject): readonly JsonObject[] =>
  JSON.parse(JSON.stringify(document)).epcisBody.eventList;
