/** Before every id, and behind every id, in PostgreSQL's order. */
export const leastUuid = '00000000-0000-0000-0000-000000000000';
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the database would take it as an id: what is none can name nothing that exists. */
export const isUuid = (text: string): boolean => shape.test(text);
