/** What the services of a cell share for moves of organizations between cells. */
export {
  type CopiedTable,
  countRows,
  deleteRows,
  exportRows,
  hasRows,
  importRows,
  type RowsPage,
  rowsWith,
  takeMark,
} from './copy-rows.ts';
export {
  HeldOrganizationEntity,
  heldOrganizationsTable,
  holdOrganization,
  importing,
  isNotHeld,
  releaseOrganization,
  requireHeld,
  requireNotHeld,
  retiring,
  servesIn,
} from './held-organizations.ts';
export { type Held, MoveFenceEntity, moveFencesTable } from './move-fences.ts';
export { decodePage, encodePage, type Page } from './page.ts';
export { isHeld, repeatWhileHeld } from './repeat-while-held.ts';
export { heldOf, requireLevel, requireOrganization } from './requests.ts';
