import type { ArtifactReference, HandoverPayload, SealMismatchPayload } from '@pto/proto/payloads';
import type { Schemas } from '../schemas.ts';
import { Condition, type ShownCondition } from './condition.tsx';
import { EvidenceFile } from './file.tsx';
import { Handover, Mismatch } from './handover.tsx';

/** The evidence of an entry, drawn; nothing for an entry without evidence. */
export const Evidence = ({
  internalType,
  payload,
  disclosed,
  country,
}: {
  internalType: string;
  payload: unknown;
  disclosed: NonNullable<Schemas['CustodyEntry']['disclosed']>;
  /** Of the place whose clock times have; empty: unknown. */
  country: string;
}) => {
  switch (internalType) {
    case 'HANDOVER_RECORDED': {
      const person = (name: string) => disclosed[name]?.value?.toString();
      return (
        <Handover
          of={payload as HandoverPayload}
          fromPerson={person('from_person')}
          toPerson={person('to_person')}
        />
      );
    }
    case 'INCIDENT_REPORTED': {
      const { artifact } = (payload ?? {}) as { artifact?: ArtifactReference };
      return artifact ? <EvidenceFile of={artifact} name="incident" /> : null;
    }
    case 'SEAL_MISMATCH':
      return <Mismatch of={payload as SealMismatchPayload} />;
    case 'CONDITION_RECORDED':
    case 'TEMPERATURE_EXCURSION':
      return <Condition of={payload as ShownCondition} country={country} />;
    default:
      return null;
  }
};
