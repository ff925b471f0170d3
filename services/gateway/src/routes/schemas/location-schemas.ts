import { model, nullable, optional, string } from '../../validation/index.ts';

const text = (max: number) => optional(nullable(string({ max })), null);

/** The request to create a location (contract 2.3). */
export const locationCreate = model(
  {
    label: string({ min: 1, max: 120 }),
    street: string({ min: 1, max: 255 }),
    zip: string({ min: 1, max: 20 }),
    city: string({ min: 1, max: 100 }),
    country: optional(string({ max: 10 }), 'DE'),
    notes: text(1000),
    contact_name: text(255),
    contact_phone: text(50),
  },
  {},
  { title: 'LocationCreate' },
);
