import type { Command, Handover, JsonObject, Party, PlainCommand } from './order.ts';

/** The commands that a driver's device can sign (decision 85). */
const driverCommands = [
  'arrive',
  'startPickup',
  'seal',
  'startTransport',
  'deliver',
  'close',
  'incident',
  'handover',
  'condition',
] as const;
type DriverName = (typeof driverCommands)[number];
export type DriverCommand =
  | Extract<Command, { readonly name: DriverName }>
  | { readonly name: Extract<PlainCommand['name'], DriverName> };

export const isDriverCommand = (command: Command): command is DriverCommand =>
  (driverCommands as readonly string[]).includes(command.name);

/**
 * Returns the payload of the entry of a driver's command; null: none. It follows from the command
 * alone, so that a device can sign it before it knows what the order has become.
 */
export const recordedPayload = (command: DriverCommand): JsonObject | null => {
  switch (command.name) {
    case 'arrive':
      return { stop: command.stop };
    case 'seal':
      return { seal_ids: command.sealIds };
    case 'incident': {
      const { note, kind, severity, asks, askedBy, artifact } = command;
      return {
        note,
        ...(kind !== undefined && { kind }),
        ...(severity !== undefined && { severity }),
        ...(asks && { asks }),
        ...(askedBy && { asked_by: askedBy }),
        ...(artifact && { artifact }),
      };
    }
    case 'handover':
      return handoverPayload(command.handover);
    case 'condition': {
      // what a device knows; the summary follows from the file
      const { device_id, unit, readings } = command.payload;
      return { device_id, unit, readings };
    }
    case 'startPickup':
    case 'startTransport':
    case 'deliver':
    case 'close':
      return null;
  }
};

const handoverPayload = ({
  stage,
  from,
  to,
  methods,
  scannedSealIds,
  artifact,
}: Handover): JsonObject => ({
  v: 'handover/1',
  stage,
  from: organizationOf(from),
  to: organizationOf(to),
  ...(from.person !== null && { from_person: from.person }),
  ...(to.person !== null && { to_person: to.person }),
  methods,
  scanned_seal_ids: scannedSealIds,
  artifact,
});

const organizationOf = ({ party, role }: Party) => ({ party, role });
