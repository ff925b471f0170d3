/**
 * Renamed RPCs: the former name, then the present name. Rows of earlier releases have the former
 * name, and the command line of the previous release calls it.
 */
const renamed = [
  ['orders.v1.OrderCommandService/ReleaseOrder', 'orders.v1.OrderCommandService/SubmitOrder'],
  ['orders.v1.OrderCommandService/WithdrawOrder', 'orders.v1.OrderCommandService/CancelOrder'],
] as const;

const present = new Map<string, string>(renamed);

/** Returns the present name of a recorded RPC, so that one action has one name in the log. */
export const presentName = (rpc: string): string => present.get(rpc) ?? rpc;

/**
 * Returns every name under which an action may be recorded.
 * @param action a name with or without its service
 */
export const recordedNames = (action: string): string[] => {
  const isAction = (rpc: string) => rpc === action || rpc.split('/')[1] === action;
  return [action, ...renamed.filter((names) => names.some(isAction)).flat()];
};
