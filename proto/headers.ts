/** Header of a call to the operators service in which an operator names a cell of the installation. */
export const cellHeader = 'x-cell';
