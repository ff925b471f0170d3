import { ResolveWindow } from '../order/resolve.tsx';
import { StepWindow } from './step-window.tsx';
import { Tray } from './tray.tsx';
import type { useDesk } from './use-desk.ts';

/** What a desk asks for, and what it has not sent yet. */
export const DeskWindows = ({ desk }: { desk: ReturnType<typeof useDesk> }) => (
  <>
    <Tray desk={desk} />
    {desk.asking && <StepWindow {...desk.asking} />}
    {desk.resolving && <ResolveWindow {...desk.resolving} />}
  </>
);
