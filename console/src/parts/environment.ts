/** The product's name, and the environment that the pages belong to, which each title names. */
export const product = 'Partner Transport Orders';

let environment = '';

/** Notes the environment of the session: `production` or `sandbox`. */
export const setEnvironment = (of: string | undefined): void => {
  environment = of ?? '';
};

/** Returns the end of a page's title. @param brand the application. */
export const titled = (brand: string): string =>
  `${environment === 'sandbox' ? 'Sandbox ' : ''}${brand} – ${product}`;
