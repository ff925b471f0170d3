import { Condition } from './condition.tsx';
import { Handover, Mismatch } from './handover.tsx';
import type { ConditionPayload, HandoverPayload, MismatchPayload } from './payloads.ts';

/** The evidence of an entry, drawn; nothing for an entry without evidence. */
export const Evidence = ({
  internalType,
  payload,
  disclosed,
}: {
  internalType: string;
  payload: unknown;
  disclosed: readonly (readonly [field: string, value: unknown])[];
}) => {
  switch (internalType) {
    case 'HANDOVER_RECORDED': {
      const person = (name: string) => disclosed.find(([field]) => field === name)?.[1]?.toString();
      return (
        <Handover
          of={payload as HandoverPayload}
          fromPerson={person('from_person')}
          toPerson={person('to_person')}
        />
      );
    }
    case 'SEAL_MISMATCH':
      return <Mismatch of={payload as MismatchPayload} />;
    case 'CONDITION_RECORDED':
    case 'TEMPERATURE_EXCURSION':
      return <Condition of={payload as ConditionPayload} />;
    default:
      return null;
  }
};
