/**
 * The slots of an organization in a replica (decision 66). With the default pool of 10 connections, its
 * lists, and its creations outside of batches, occupy three at most: three that are light, or a heavy one
 * and a light one. Requests with one idempotency key wait for each other in these slots.
 */
export const slotsOfOrganization = 6;

/** Slots of a list or a creation that is not heavy. */
export const light = 2;

/** Slots of a heavy list, a heavy creation or a file of readings: an organization has one at a time. */
export const heavy = 4;
