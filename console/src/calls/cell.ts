/** The cell whose lists the console shows, where the installation has several. */
const stored = 'cell';

/** Returns the chosen cell; undefined: none. */
export const chosenCell = (): string | undefined => sessionStorage.getItem(stored) ?? undefined;

export const chooseCell = (cell: string): void => sessionStorage.setItem(stored, cell);
