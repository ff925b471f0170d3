/** What a custody entry says in English words, by its `internal_type`. */
export const entryTitles: Readonly<Record<string, string>> = {
  ORDER_SUBMITTED: 'Order submitted',
  ORDER_ASSIGNED: 'Order assigned',
  ASSIGNMENT_DECLINED: 'Assignment declined',
  ORDER_ACCEPTED: 'Order accepted',
  DRIVER_ASSIGNED: 'Driver assigned',
  DRIVER_RELEASED: 'Driver released',
  PICKUP_STARTED: 'Pickup started',
  DRIVER_ARRIVED: 'Driver arrived',
  SEAL_APPLIED: 'Goods sealed',
  TRANSPORT_STARTED: 'Transport started',
  CUSTODY_TRANSFERRED: 'Goods delivered',
  ORDER_CLOSED: 'Order closed',
  ORDER_CANCELLED: 'Order cancelled',
  ORDER_UPDATED: 'Order changed',
  INCIDENT_REPORTED: 'Incident reported',
  INCIDENT_RESOLVED: 'Incident resolved',
  ORDER_ESCALATED: 'Order escalated',
  HANDOVER_RECORDED: 'Handover recorded',
  EVIDENCE_WAIVED: 'Required evidence waived',
  SEAL_MISMATCH: 'Seals do not match',
  CONDITION_RECORDED: 'Temperatures recorded',
  TEMPERATURE_EXCURSION: 'Temperature outside of the limits',
  DEVICE_RECORD_KEPT: 'Record of a driver kept, not applied',
  DEVICE_REVOKED: "Driver's device revoked",
  PERSONAL_DATA_ERASED: 'Personal data erased',
};

/**
 * Returns what a custody entry says in words, such as "Goods sealed", by its `internal_type`. The
 * list of types is open: undefined for an unknown one.
 */
export const titleOfType = (internalType: unknown): string | undefined =>
  typeof internalType === 'string' && Object.hasOwn(entryTitles, internalType)
    ? entryTitles[internalType]
    : undefined;
