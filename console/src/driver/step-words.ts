/** The steps of a driver in words. */
import { wordOf } from '../parts/badge.tsx';
import { t } from '../parts/words.ts';
import type { Next } from './next-step.ts';
import type { Step, StepName } from './steps.ts';

const buttons: Readonly<Record<StepName, () => string>> = {
  arrive: () => t('I have arrived'),
  startPickup: () => t('Start the pick-up'),
  seal: () => t('Record the seals'),
  handover: () => t('Record the handover'),
  startTransport: () => t('Start the transport'),
  deliver: () => t('Deliver'),
  close: () => t('Finish this transport'),
  incident: () => t('Report the incident'),
  condition: () => t('Record the temperature'),
};

/** What the large button says. */
export const doIt = ({ name }: Next): string => buttons[name]();

const records: { readonly [Name in StepName]: (step: Extract<Step, { name: Name }>) => string } = {
  arrive: ({ stop }) =>
    stop === 'pickup' ? t('Arrived at the pick-up') : t('Arrived at the drop-off'),
  startPickup: () => t('Pick-up started'),
  seal: ({ sealIds }) => t('Seals: {seals}', { seals: sealIds.join(', ') }),
  handover: ({ stage }) => t('Handover: {stage}', { stage: wordOf(stage) }),
  startTransport: () => t('Transport started'),
  deliver: () => t('Delivered'),
  close: () => t('Completed'),
  incident: ({ kind }) => t('Incident: {kind}', { kind: wordOf(kind) }),
  condition: ({ device }) => t('Temperature by {device}', { device }),
};

/** What a record says that was done. */
export const done = (step: Step): string => (records[step.name] as (of: Step) => string)(step);
