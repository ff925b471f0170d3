/** The steps of a driver in words. */
import { wordOf } from '../parts/badge.tsx';
import { t } from '../parts/words.ts';
import type { Next } from './next-step.ts';
import type { Step } from './steps.ts';

/** What the large button says. */
export const doIt = (next: Next): string => {
  switch (next.name) {
    case 'arrive':
      return t('I have arrived');
    case 'startPickup':
      return t('Start the pick-up');
    case 'seal':
      return t('Record the seals');
    case 'handover':
      return t('Record the handover');
    case 'startTransport':
      return t('Start the transport');
    case 'deliver':
      return t('Deliver');
    case 'close':
      return t('Complete');
    case 'incident':
      return t('Report the incident');
    case 'condition':
      return t('Record the temperature');
  }
};

/** What a record says that was done. */
export const done = (step: Step): string => {
  switch (step.name) {
    case 'arrive':
      return step.stop === 'pickup' ? t('Arrived at the pick-up') : t('Arrived at the drop-off');
    case 'startPickup':
      return t('Pick-up started');
    case 'seal':
      return t('Seals: {seals}', { seals: step.sealIds.join(', ') });
    case 'handover':
      return t('Handover: {stage}', { stage: wordOf(step.stage) });
    case 'startTransport':
      return t('Transport started');
    case 'deliver':
      return t('Delivered');
    case 'close':
      return t('Completed');
    case 'incident':
      return t('Incident: {kind}', { kind: wordOf(step.kind) });
    case 'condition':
      return t('Temperature by {device}', { device: step.device });
  }
};
