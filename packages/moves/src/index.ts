/** What the services of a cell share for moves of organizations between cells. */
export {
  HeldOrganizationEntity,
  heldOrganizationsTable,
  isNotHeld,
  levels,
  requireNotHeld,
} from './held-organizations.ts';
export {
  hold,
  holding,
  type InHold,
  lockOrders,
  type MovedService,
  movedServices,
  release,
  requireCopy,
  TargetServes,
  type Try,
} from './hold.ts';
export {
  MoveSettingEntity,
  moveSettingsTable,
  storeMoveSettings,
  tagOf,
} from './move-settings.ts';
export { isHeld, repeatWhileHeld } from './repeat-while-held.ts';
