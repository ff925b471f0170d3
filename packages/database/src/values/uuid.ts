/** The least and the greatest UUID in PostgreSQL's order: bounds before and after every id. */
export const leastUuid = '00000000-0000-0000-0000-000000000000';
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a UUID of hexadecimal digits in groups of 8-4-4-4-12, in lower or upper case.
 * Other forms that PostgreSQL accepts are not ids of this project.
 */
export const isUuid = (text: string): boolean => shape.test(text);
