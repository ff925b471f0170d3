/** Header of a call to the operators service in which an operator names a cell of the installation. */
export const cellHeader = 'x-cell';

/** Header of a call of the console that no person made. It does not prolong the session. */
export const unattendedHeader = 'x-unattended';
