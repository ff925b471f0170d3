import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseCell, chosenCell } from '../calls/cell.ts';

/** The choice of the cell whose lists the pages show. */
export const CellSelect = ({ cells }: { cells: readonly string[] }) => {
  const queries = useQueryClient();
  const [cell, setCell] = useState(() => {
    const first = cells.find((one) => one === chosenCell()) ?? cells[0]!;
    chooseCell(first); // before the pages below call
    return first;
  });
  return (
    <select
      aria-label="Cell"
      value={cell}
      onChange={({ target: { value } }) => {
        chooseCell(value);
        setCell(value);
        void queries.resetQueries();
      }}
    >
      {cells.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
};
