import { useQueryClient } from '@tanstack/react-query';
import { useContext, useSyncExternalStore } from 'react';
import { openSteps, type SendCommand, type Steps } from '../../board/steps.ts';
import { changesOf } from '../../board/use-board.ts';
import { failureOf } from '../../calls/failure.ts';
import { sendOrderCommand } from '../../calls/send-order-command.ts';
import { Me } from '../../parts/me.ts';

const send: SendCommand = async (orderId, { rpc, commandId, fields }) => {
  try {
    return await sendOrderCommand(rpc, { orderId, commandId }, fields);
  } catch (thrown) {
    throw new Error(failureOf(thrown).message, { cause: thrown });
  }
};

let opened: { readonly by: string; readonly steps: Steps } | undefined;

/** The steps of this person in this tab, which are sent also after the page was left. */
export const useSteps = () => {
  const queries = useQueryClient();
  const by = useContext(Me)?.name ?? '';
  const sent = (orderId: string) => {
    for (const queryKey of changesOf(orderId)) void queries.invalidateQueries({ queryKey });
  };
  if (opened?.by !== by) opened = { by, steps: openSteps(sessionStorage, by, send, sent) };
  const { steps } = opened;
  const list = useSyncExternalStore(steps.subscribe, () => steps.list());
  return { by, steps, list, last: steps.last() };
};
