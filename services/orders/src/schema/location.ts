import { defineEntity, p } from '@mikro-orm/core';

/** A saved address. `address_key` is the SHA-256 of the normalized address (decision 12). */
export const LocationEntity = defineEntity({
  name: 'Location',
  tableName: 'locations',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    label: p.text(),
    street: p.text(),
    zip: p.text(),
    city: p.text(),
    country: p.text(),
    addressKey: p.blob(),
    notes: p.text().nullable(),
    contactName: p.text().nullable(),
    contactPhone: p.text().nullable(),
    lat: p.double().$type<number>().nullable(),
    lng: p.double().$type<number>().nullable(),
    createdViaApi: p.boolean(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
