import { useMay } from '../parts/me.ts';
import { People } from './operators/people.tsx';
import { Tokens } from './operators/tokens.tsx';

/** Who may use the console and the command line, with which roles. */
export const OperatorsPage = () => {
  const may = useMay();
  if (!may('admin', 'auditor'))
    return <p className="empty">Operators and tokens need the role admin or auditor.</p>;
  return (
    <>
      <h1>Operators</h1>
      <People />
      <Tokens />
    </>
  );
};
